package state

import (
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// A valueSink decodes a document while it is recognised, without nodes: what it
// takes is just what decode makes of the nodes (a fuzz test says so). It knows
// no error messages. Whatever is not right it hands over to decode, which says
// what and where. Its memory serves one document after another.
type valueSink struct {
	resource  resource
	versioned bool // apiVersion was read
	frames    []frame
	top       *frame // the last of them
	rooms     map[*field]*room
	ids       map[string]int // for repeated
	day       day

	// The documents come one after the other in the same memory, so texts that
	// may be kept are copied. Those of sessions may not.
	overwritten bool
}

func newValueSink() *valueSink {
	return &valueSink{rooms: map[*field]*room{}, ids: map[string]int{}}
}

// A frame is a collection that is still open.
type frame struct {
	// A structure has a shape; the document has none until its kind is known.
	// Of a structure, field is the property whose value comes next, nil for a key
	// of the document that is no property. Otherwise it is the list or mapping of
	// texts itself.
	shape *shape
	field *field
	at    unsafe.Pointer // the structure, or the field that the list or mapping is set to
	seen  uint64         // properties of a structure that were read, by index
	key   string         // the last key, in the document and in a mapping of texts
	room  *room          // of a list of structures
	first int            // where such a list begins in its room
	list  []string
	texts map[string]string
}

// A room is where the structures of one property go, those of all its lists one
// after the other.
type room struct {
	items reflect.Value  // a slice
	start unsafe.Pointer // of the slice
	size  uintptr        // of an item
	used  int
}

// read decodes a document of simple characters.
func (s *valueSink) read(text string) (resource, bool) {
	s.resource, s.versioned, s.frames = resource{}, false, s.frames[:0]
	ok := recognise(text, s)
	return s.resource, ok
}

// recycle takes back the lists of all that was read, which must not be used any
// more.
func (s *valueSink) recycle() {
	for _, r := range s.rooms {
		r.items.Slice(0, r.used).Clear()
		r.used = 0
	}
}

func (s *valueSink) push(f frame) {
	s.frames = append(s.frames, f)
	s.top = &s.frames[len(s.frames)-1]
}

func (s *valueSink) pop() {
	s.frames = s.frames[:len(s.frames)-1]
	if n := len(s.frames); n > 0 {
		s.top = &s.frames[n-1]
	}
}

func (s *valueSink) open(kind nodeKind, _ nodeStyle, _ int) bool {
	if len(s.frames) == 0 {
		s.push(frame{})
		return kind == mappingNode
	}
	top := s.top
	fd := top.field
	if fd == nil {
		return false
	}
	if !top.structure() {
		return fd.sort == structsField && kind == mappingNode && s.item(top)
	}
	inner := frame{field: fd, at: unsafe.Add(top.at, fd.offset)}
	switch fd.sort {
	case structField:
		structure := reflect.New(fd.goType.Elem())
		inner.value().Set(structure)
		return kind == mappingNode && s.begin(fd.elem, structure.UnsafePointer())
	case mapField:
		if kind != mappingNode {
			return false
		}
		inner.texts = map[string]string{}
	case structsField:
		inner.room = s.room(fd)
		inner.first = inner.room.used
		fallthrough
	case textsField:
		if kind != sequenceNode {
			return false
		}
	default:
		return false
	}
	s.push(inner)
	return true
}

// structure reports whether the frame is one, rather than a list or a mapping of
// texts.
func (f *frame) structure() bool { return f.shape != nil || f.field == nil }

// value is the field that a list or mapping is set to.
func (f *frame) value() reflect.Value { return reflect.NewAt(f.field.goType, f.at).Elem() }

func (s *valueSink) begin(sh *shape, at unsafe.Pointer) bool {
	s.push(frame{shape: sh, at: at})
	return true
}

// item begins the next structure of a list.
func (s *valueSink) item(list *frame) bool {
	r := list.room
	if r.used == r.items.Len() {
		size := max(min(2*r.items.Len(), 4096), 2*(r.used-list.first), 8)
		items := reflect.MakeSlice(list.field.goType, size, size)
		r.used = reflect.Copy(items, r.items.Slice(list.first, r.used))
		r.items, r.start, list.first = items, items.UnsafePointer(), 0
	}
	r.used++
	return s.begin(list.field.elem, unsafe.Add(r.start, uintptr(r.used-1)*r.size))
}

func (s *valueSink) room(fd *field) *room {
	r := s.rooms[fd]
	if r == nil {
		r = &room{items: reflect.MakeSlice(fd.goType, 0, 0), size: fd.elem.goType.Size()}
		s.rooms[fd] = r
	}
	return r
}

func (s *valueSink) close(int) bool {
	top := s.top
	fd := top.field
	switch {
	case top.structure():
		if top.shape == nil || top.seen&top.shape.required != top.shape.required || len(s.frames) == 1 && !s.versioned {
			return false
		}
		top.shape.setDefaults(top.at, top.seen)
	case fd.sort == mapField:
		top.value().Set(reflect.ValueOf(top.texts))
	case fd.sort == textsField:
		list := reflect.MakeSlice(fd.goType, len(top.list), len(top.list))
		for i, text := range top.list {
			list.Index(i).SetString(text)
		}
		top.value().Set(list)
	default:
		r := top.room
		top.value().Set(r.items.Slice3(top.first, r.used, r.used))
		if _, _, twice := fd.repeated(top.at, s.ids); twice {
			return false
		}
	}
	s.pop()
	return true
}

func (s *valueSink) key(text string, _ int) bool {
	top := s.top
	switch {
	case !top.structure():
		_, twice := top.texts[text]
		top.key = strings.Clone(text)
		return !twice
	case len(s.frames) == 1 && slices.Contains(documentKeys, text):
		top.key, top.field = text, nil
		return true
	case top.shape == nil:
		return false
	}
	fd := top.shape.field(text)
	if fd == nil || top.seen&(1<<fd.index) != 0 {
		return false
	}
	top.seen |= 1 << fd.index
	top.field = fd
	return true
}

func (s *valueSink) scalar(text string, style nodeStyle, _, _ int) bool {
	if len(s.frames) == 0 {
		return false
	}
	const hostFrames = 3 // pool, list of hosts, host
	if s.overwritten && len(s.frames) <= hostFrames {
		text = strings.Clone(text)
	}
	top := s.top
	fd := top.field
	switch {
	case fd == nil:
		return s.documentKey(top, text)
	case top.shape != nil:
		at := unsafe.Add(top.at, fd.offset)
		if fd.sort == timeField && s.day.set((*time.Time)(at), text) {
			return true
		}
		return fd.scalar() && fd.set(at, text, style != plainStyle)
	case fd.sort == mapField:
		top.texts[top.key] = text
		return true
	case fd.sort == textsField:
		top.list = append(top.list, text)
		return true
	}
	return false
}

// documentKey takes the kind or the version of the document.
func (s *valueSink) documentKey(root *frame, text string) bool {
	if root.key == "apiVersion" {
		twice := s.versioned
		s.versioned = true
		return !twice && text == APIVersion
	}
	if root.shape != nil {
		return false
	}
	switch Kind(text) {
	case HostPool:
		s.resource.pool = new(hostpool.Pool)
	case Cluster:
		s.resource.cluster = new(gateway.Cluster)
	default:
		return false
	}
	root.shape, root.at = s.resource.shape(), s.resource.value().Addr().UnsafePointer()
	return true
}

// A day is the last one of which a time was read. The times of a file are mostly
// of few days, and to work out which day a date is takes longer than all else.
type day struct {
	date     [10]byte
	midnight int64 // in seconds since 1970
}

// set reads a time in whole seconds of UTC, as in 2026-11-29T08:00:00Z. It
// answers false for any other.
func (d *day) set(t *time.Time, text string) bool {
	const form = "2006-01-02T15:04:05Z"
	if len(text) != len(form) || text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != 'Z' {
		return false
	}
	if text[:10] != string(d.date[:]) {
		midnight, err := time.Parse(time.DateOnly, text[:10])
		if err != nil {
			return false
		}
		copy(d.date[:], text)
		d.midnight = midnight.Unix()
	}
	hours, minutes, seconds := twoDigits(text[11:]), twoDigits(text[14:]), twoDigits(text[17:])
	*t = time.Unix(d.midnight+int64(hours*3600+minutes*60+seconds), 0).UTC()
	return hours < 24 && minutes < 60 && seconds < 60
}

// twoDigits reads a number of two digits, and gives 100 for what is none.
func twoDigits(text string) int {
	tens, ones := text[0]-'0', text[1]-'0'
	if tens > 9 || ones > 9 {
		return 100
	}
	return int(tens)*10 + int(ones)
}
