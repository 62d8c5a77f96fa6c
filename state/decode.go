package state

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/spelling"
)

// decode reads a document's nodes into a resource. It is strict: what it does
// not know, or what is not exactly of the right kind, is an error that names
// the place and what would be right.
func (f *file) decode(root *node) (resource, error) {
	if root.kind != mappingNode {
		return resource{}, f.errorAt(root.start, "a document must be a mapping that begins with kind: HostPool or kind: Cluster, not %s", root.kind)
	}
	_, kind := root.entry("kind")
	if kind == nil {
		return resource{}, f.errorAt(root.start, "the document has no kind: write kind: HostPool or kind: Cluster")
	}
	var r resource
	switch Kind(kind.value) {
	case HostPool:
		r.pool = new(hostpool.Pool)
	case Cluster:
		r.cluster = new(gateway.Cluster)
	default:
		return r, f.errorAt(kind.start, "unknown kind %q%s", kind.value, suggest(kind.value, []string{string(HostPool), string(Cluster)}))
	}
	_, version := root.entry("apiVersion")
	if version == nil {
		return r, f.errorAt(root.start, "the document has no apiVersion: write apiVersion: %s", APIVersion)
	}
	if version.value != APIVersion {
		return r, f.errorAt(version.start, "apiVersion %q is not one that this gatepool reads: it knows %s; a newer gatepool may have written the file", version.value, APIVersion)
	}
	return r, f.structure(r.shape(), root, r.value(), documentKeys)
}

// documentKeys stand in a document beside the properties of its resource.
var documentKeys = []string{"kind", "apiVersion"}

func (f *file) structure(s *shape, n *node, v reflect.Value, extra []string) error {
	if n.kind != mappingNode {
		return f.errorAt(n.start, "%s stands here; expected a mapping with %s", n.kind, strings.Join(s.names(), ", "))
	}
	s.setDefaults(v.Addr().UnsafePointer(), 0)
	seen := make([]*node, len(s.fields))
	for i := 0; i < len(n.items); i += 2 {
		key, value := &n.items[i], &n.items[i+1]
		fd := s.field(key.value)
		if fd == nil {
			if err := f.extraKey(s, n, i, extra); err != nil {
				return err
			}
			continue
		}
		if first := seen[fd.index]; first != nil {
			return f.errorAt(key.start, "%s stands twice: it is already in line %d", key.value, f.line(first.start))
		}
		seen[fd.index] = key
		if err := f.property(fd, key, value, v.Field(fd.index)); err != nil {
			return err
		}
	}
	for i := range s.fields {
		if fd := &s.fields[i]; fd.required && seen[fd.index] == nil {
			return f.errorAt(n.start, "%s is missing", fd.name)
		}
	}
	return nil
}

// extraKey deals with a key that is no property: kind and apiVersion in a
// document, and mistakes.
func (f *file) extraKey(s *shape, n *node, at int, extra []string) error {
	key := &n.items[at]
	for _, name := range extra {
		if key.value != name {
			continue
		}
		if first, _ := n.entry(name); first != key {
			return f.errorAt(key.start, "%s stands twice: it is already in line %d", name, f.line(first.start))
		}
		return nil
	}
	return f.errorAt(key.start, "unknown key %q%s", key.value, suggest(key.value, append(s.names(), extra...)))
}

func (f *file) property(fd *field, key, n *node, v reflect.Value) error {
	if n.kind == nullNode {
		return f.errorAt(key.start, "%s has no value: give it one, or remove the line", fd.name)
	}
	if fd.scalar() {
		if n.kind != scalarNode {
			return f.errorAt(n.start, "%s is %s; expected %s", fd.name, n.kind, fd.expected())
		}
		return f.scalar(fd, n, v)
	}
	switch fd.sort {
	case mapField:
		return f.texts(fd, n, v)
	case structField:
		v.Set(reflect.New(fd.goType.Elem()))
		return f.structure(fd.elem, n, v.Elem(), nil)
	}
	if n.kind != sequenceNode {
		return f.errorAt(n.start, "%s is %s; expected a list", fd.name, n.kind)
	}
	v.Set(reflect.MakeSlice(fd.goType, len(n.items), len(n.items)))
	if fd.sort == textsField {
		for i := range n.items {
			if n.items[i].kind != scalarNode {
				return f.errorAt(n.items[i].start, "%s holds texts, not %s", fd.name, n.items[i].kind)
			}
			v.Index(i).SetString(n.items[i].value)
		}
		return nil
	}
	for i := range n.items {
		if err := f.structure(fd.elem, &n.items[i], v.Index(i), nil); err != nil {
			return err
		}
	}
	return f.unique(fd, n, v)
}

// unique makes sure that no two items of a list are the same thing.
func (f *file) unique(fd *field, n *node, v reflect.Value) error {
	if first, second, twice := fd.repeated(v.Addr().UnsafePointer(), map[string]int{}); twice {
		return f.errorAt(n.items[second].start, "%s holds %s twice: it is already in line %d", fd.name, name(v.Index(second)), f.line(n.items[first].start))
	}
	return nil
}

// finder returns a function that finds two items of a list of that type that are
// the same thing. It gets the address of the list, and works in an empty map,
// which it leaves so.
func finder(list reflect.Type) func(list unsafe.Pointer, seen map[string]int) (first, second int, twice bool) {
	switch reflect.Zero(list).Interface().(type) {
	case []hostpool.Host:
		return repeated[hostpool.Host]
	case []hostpool.Session:
		return repeated[hostpool.Session]
	case []gateway.Member:
		return repeated[gateway.Member]
	case []gateway.Counter:
		return repeated[gateway.Counter]
	case []gateway.User:
		return repeated[gateway.User]
	case []gateway.DataSource:
		return repeated[gateway.DataSource]
	case []gateway.DataSourceUser:
		return repeated[gateway.DataSourceUser]
	}
	panic("state: no way to tell the items of a " + list.String() + " apart")
}

// identified tells an item of a list from its siblings: the same key means the
// same thing before and after an edit. A unique key may stand once.
type identified interface {
	Identity() (key string, unique bool)
}

func repeated[T identified](list unsafe.Pointer, seen map[string]int) (first, second int, twice bool) {
	items := *(*[]T)(list)
	if len(items) <= 16 { // quicker without a map, and most lists are short
		var ids [16]string
		var ends uint64 // with which bytes ids end, by their last six bits
		for i := range items {
			id, unique := items[i].Identity()
			if !unique {
				continue
			}
			end := uint64(1)
			if id != "" {
				end <<= id[len(id)-1] & 63
			}
			if ends&end != 0 {
				if first := slices.Index(ids[:i], id); first >= 0 {
					return first, i, true
				}
			}
			ends |= end
			ids[i] = id
		}
		return 0, 0, false
	}
	defer clear(seen)
	for i := range items {
		id, unique := items[i].Identity()
		if !unique {
			continue
		}
		if first, known := seen[id]; known {
			return first, i, true
		}
		seen[id] = i
	}
	return 0, 0, false
}

// name is how messages call an item of a list: its first property.
func name(v reflect.Value) string { return strconv.Quote(v.Field(0).String()) }

func (f *file) texts(fd *field, n *node, v reflect.Value) error {
	if n.kind != mappingNode {
		return f.errorAt(n.start, "%s is %s; expected a mapping of texts", fd.name, n.kind)
	}
	m := make(map[string]string, len(n.items)/2)
	for i := 0; i < len(n.items); i += 2 {
		key, value := &n.items[i], &n.items[i+1]
		if value.kind != scalarNode {
			return f.errorAt(key.start, "%s %q must be a text, not %s", fd.name, key.value, value.kind)
		}
		if _, twice := m[key.value]; twice {
			return f.errorAt(key.start, "%s holds %q twice", fd.name, key.value)
		}
		m[key.value] = value.value
	}
	v.Set(reflect.ValueOf(m))
	return nil
}

func (f *file) scalar(fd *field, n *node, v reflect.Value) error {
	if fd.set(v.Addr().UnsafePointer(), n.value, n.style != plainStyle) {
		return nil
	}
	if fd.sort == textField {
		return f.errorAt(n.start, "%s is empty", fd.name)
	}
	return f.errorAt(n.start, "%s is %q; expected %s%s", fd.name, n.value, fd.expected(), suggest(n.value, fd.values))
}

// set gives a scalar field the value that a text of the file means, and
// answers false where it means none. It works on the field's memory, which takes
// an eighth of the time of a reflect.Value; fieldOf has looked at the type.
func (f *field) set(at unsafe.Pointer, text string, quoted bool) bool {
	switch f.sort {
	case textField:
		*(*string)(at) = text
		return text != "" || !f.required
	case enumField:
		for _, valid := range f.values {
			if text == valid {
				*(*string)(at) = valid
				return true
			}
		}
		return false
	case boolField:
		*(*bool)(at) = text == "true"
		return !quoted && (text == "true" || text == "false")
	case intField:
		i, ok := wholeNumber(text)
		*(*int)(at) = i
		return !quoted && ok && f.within(float64(i))
	case floatField:
		x, err := strconv.ParseFloat(text, 64)
		*(**float64)(at) = &x
		return !quoted && err == nil && !strings.ContainsAny(text, "xXpP_iInN") && f.within(x)
	default:
		t, err := time.Parse(time.RFC3339, text)
		*(*time.Time)(at) = t
		return err == nil
	}
}

func (f *field) within(x float64) bool { return !f.bounded || x >= f.min && x <= f.max }

// wholeNumber reads a whole number as a person writes it. What YAML calls one
// besides (010 is eight, 0x1F, 1_000) would surprise.
func wholeNumber(s string) (int, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits[0] == '0' && s != "0" {
		return 0, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// expected says in words what a scalar field takes.
func (f *field) expected() string {
	switch f.sort {
	case enumField:
		return strings.Join(f.values, ", ")
	case boolField:
		return "true or false, without quotes"
	case intField, floatField:
		what := "a whole number"
		if f.sort == floatField {
			what = "a number"
		}
		if f.bounded {
			what += " from " + strconv.FormatFloat(f.min, 'f', -1, 64) + " to " + strconv.FormatFloat(f.max, 'f', -1, 64)
		}
		return what
	case timeField:
		return "a time such as 2026-11-29T08:00:00Z"
	}
	return "a text"
}

// suggest names the nearest valid spelling, if one is near.
func suggest(got string, valid []string) string {
	near := spelling.Nearest(got, valid)
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}
