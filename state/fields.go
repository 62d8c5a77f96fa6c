package state

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Kind is the kind of a resource: what a document's first line says.
type Kind string

// The kinds of resource.
const (
	HostPool Kind = "HostPool"
	Cluster  Kind = "Cluster"
)

func (k Kind) known() bool { return k == HostPool || k == Cluster }

// APIVersion is the version of the file's shape that this program writes.
const APIVersion = "gatepool/v1"

// A shape is what the struct tags of a resource type say, worked out once: it
// serves reading, writing, editing and the JSON Schema alike.
type shape struct {
	fields    []field
	goType    reflect.Type
	required  uint64 // the required fields, as bits by index
	defaulted []int  // the fields whose default is not the zero value, by index
}

type field struct {
	name     string // of the property
	index    int    // in the struct
	offset   uintptr
	goType   reflect.Type
	sort     fieldSort
	elem     *shape                                                                         // of a structure, or of a list's items
	repeated func(list unsafe.Pointer, seen map[string]int) (first, second int, twice bool) // see finder
	values   []string
	def      string // the value that stands for an absent property, as text
	required bool
	always   bool
	flow     bool
	min, max float64
	bounded  bool
	tag      reflect.StructTag // holds what the schema says of it, too
}

type fieldSort uint8

const (
	textField fieldSort = iota
	enumField
	boolField
	intField
	floatField // a pointer: absent is not 0
	timeField
	mapField
	structField // a pointer
	structsField
	textsField
)

var (
	poolShape    = sync.OnceValue(func() *shape { return shapeOf(reflect.TypeFor[hostpool.Pool]()) })
	clusterShape = sync.OnceValue(func() *shape { return shapeOf(reflect.TypeFor[gateway.Cluster]()) })
)

func shapeOf(t reflect.Type) *shape {
	s := &shape{goType: t, fields: make([]field, 0, t.NumField())}
	for i := range t.NumField() {
		f := fieldOf(t.Field(i), i)
		s.fields = append(s.fields, f)
		if f.required {
			s.required |= 1 << i
		}
		if f.def != "" && f.def != "false" && f.def != "0" {
			s.defaulted = append(s.defaulted, i)
		}
	}
	if len(s.fields) > 64 {
		panic("state: more than 64 fields in " + t.String())
	}
	return s
}

func fieldOf(sf reflect.StructField, index int) field {
	name, options, _ := strings.Cut(sf.Tag.Get("yaml"), ",")
	f := field{name: name, index: index, offset: sf.Offset, goType: sf.Type, flow: options == "flow", tag: sf.Tag}
	for option := range strings.SplitSeq(sf.Tag.Get("check"), ",") {
		key, value, _ := strings.Cut(option, "=")
		switch key {
		case "required":
			f.required = true
		case "always":
			f.always = true
		case "default":
			f.def = value
		case "min":
			f.min, _ = strconv.ParseFloat(value, 64)
			f.bounded = true
		case "max":
			f.max, _ = strconv.ParseFloat(value, 64)
		}
	}
	switch t := sf.Type; {
	case t == reflect.TypeFor[time.Time]():
		f.sort = timeField
	case t.Kind() == reflect.String:
		if e, ok := reflect.Zero(t).Interface().(interface{ Values() []string }); ok {
			f.sort, f.values = enumField, e.Values()
		}
	case t.Kind() == reflect.Bool:
		f.sort = boolField
		if f.def == "" {
			f.def = "false"
		}
	case t.Kind() == reflect.Int:
		f.sort = intField
		if f.def == "" {
			f.def = "0"
		}
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Float64:
		f.sort = floatField
	case t.Kind() == reflect.Map:
		f.sort = mapField
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		f.sort, f.elem = structField, shapeOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		f.sort, f.elem, f.repeated = structsField, shapeOf(t.Elem()), finder(t)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		f.sort = textsField
	default:
		panic(fmt.Sprintf("state: no way to hold %s %s in the file", sf.Name, t))
	}
	return f
}

func (s *shape) field(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

func (s *shape) names() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

// setDefaults gives a structure what its absent properties mean. Bits of seen
// say which ones are there, by index.
func (s *shape) setDefaults(structure unsafe.Pointer, seen uint64) {
	for _, i := range s.defaulted {
		if f := &s.fields[i]; seen&(1<<i) == 0 {
			f.set(unsafe.Add(structure, f.offset), f.def, false)
		}
	}
}

// same reports whether two values of a field mean the same: an empty list is
// an absent one, and times are compared as moments.
func (f *field) same(a, b reflect.Value) bool {
	switch f.sort {
	case textField, enumField:
		return a.String() == b.String()
	case boolField:
		return a.Bool() == b.Bool()
	case intField:
		return a.Int() == b.Int()
	case floatField:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Float() == b.Elem().Float()
	case timeField:
		return a.Addr().Interface().(*time.Time).Equal(*b.Addr().Interface().(*time.Time))
	case mapField:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			if v := b.MapIndex(key); !v.IsValid() || v.String() != a.MapIndex(key).String() {
				return false
			}
		}
		return true
	case structField:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return f.elem.same(a.Elem(), b.Elem())
	case structsField:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !f.elem.same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	default:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if a.Index(i).String() != b.Index(i).String() {
				return false
			}
		}
		return true
	}
}

func (s *shape) same(a, b reflect.Value) bool {
	for i := range s.fields {
		f := &s.fields[i]
		if !f.same(a.Field(f.index), b.Field(f.index)) {
			return false
		}
	}
	return true
}

// text gives a scalar field's value as it would stand in the file, unquoted;
// "" for one that is not set.
func (f *field) text(v reflect.Value) string {
	switch f.sort {
	case boolField:
		return strconv.FormatBool(v.Bool())
	case intField:
		return strconv.FormatInt(v.Int(), 10)
	case floatField:
		if v.IsNil() {
			return ""
		}
		return strconv.FormatFloat(v.Elem().Float(), 'f', -1, 64)
	case timeField:
		t := v.Interface().(time.Time)
		if t.IsZero() {
			return ""
		}
		return t.Format(time.RFC3339Nano)
	default:
		return v.String()
	}
}

// said is the value of a scalar field as people are told of it: "" for one that
// is not set, such as a session limit of 0.
func (f *field) said(v reflect.Value) string {
	if f.sort == intField && f.def == "0" && !f.always && v.Int() == 0 {
		return ""
	}
	return f.text(v)
}

func (f *field) scalar() bool { return f.sort <= timeField }

func (f *field) list() bool { return f.sort == structsField || f.sort == textsField }
