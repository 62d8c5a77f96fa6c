package state

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"unsafe"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/hostpool"
)

// Survey is Open and MapPools for a large file of the form that gatepool
// writes: it reads the file in pieces, twice, and never holds all of it. That
// saves a tenth of the time, which goes into fresh memory, and nearly all of the
// memory. It answers false for every other file, and where something is wrong;
// Open says what.
func Survey[T any](path string, wanted func(name string) bool, fn func(p *hostpool.Pool) T) (made []T, ok bool) {
	const least = 1 << 20 // bytes; less is soon read whole
	f, size, err := atomicfile.Open(path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if size < least || size > MaxSize {
		return nil, false
	}
	made, err = surveyPools(survey{f, int(size), 256 << 10, 4 << 10, headSize}, wanted, fn)
	return made, err == nil
}

// A survey goes through a file in parts. All sizes are in bytes.
type survey struct {
	file       io.ReaderAt
	size, part int
	line       int // a longer one is unusual
	document   int // and so are many smaller ones: headings would be most of the file
}

// read fills a buffer from an offset.
func (s survey) read(buffer []byte, at int) error {
	if len(buffer) == 0 {
		return nil
	}
	_, err := s.file.ReadAt(buffer, int64(at))
	return err
}

// errUnusual ends a survey of a file that is better read whole.
var errUnusual = errors.New("not a file for a survey")

func surveyPools[T any](s survey, wanted func(name string) bool, fn func(p *hostpool.Pool) T) ([]T, error) {
	docs, err := s.documents()
	if err != nil {
		return nil, err
	}
	docs = slices.DeleteFunc(docs, func(d document) bool { return d.kind != HostPool || !wanted(d.name) })
	made := make([]T, len(docs))
	err = onAllCores(len(docs), s.size, func() func(int) error {
		values := newValueSink()
		values.overwritten = true
		var text []byte
		return func(i int) error {
			n := docs[i].end - docs[i].start
			text = slices.Grow(text[:0], n)[:n]
			if err := s.read(text, docs[i].start); err != nil {
				return err
			}
			r, ok := values.read(unsafe.String(unsafe.SliceData(text), n))
			if !ok || r.pool == nil {
				return errUnusual
			}
			made[i] = fn(r.pool)
			values.recycle()
			return nil
		}
	})
	return made, err
}

// documents cuts the file as cut does, and reads the headings.
func (s survey) documents() ([]document, error) {
	marks, err := s.scan()
	if err != nil {
		return nil, err
	}
	if len(marks.separators) > s.size/s.document {
		return nil, errUnusual
	}
	docs := []document{{separator: -1}}
	bom := make([]byte, min(len(utf8BOM), s.size))
	if err := s.read(bom, 0); err != nil {
		return nil, err
	}
	if bytes.Equal(bom, utf8BOM) {
		return nil, errUnusual
	}
	for _, at := range marks.separators {
		docs[len(docs)-1].end = at
		docs = append(docs, document{separator: at, start: at + len("---")})
	}
	docs[len(docs)-1].end = s.size

	names := map[string]bool{}
	text := make([]byte, 2*headSize) // readHead looks behind the head
	for i := range docs {
		d := &docs[i]
		n := min(len(text), d.end-d.start)
		if err := s.read(text[:n], d.start); err != nil {
			return nil, err
		}
		top := string(text[:n])
		h, ok := readHead(top)
		if !ok {
			if _, any := (&recogniser{text: top}).nextLine(); any || n < d.end-d.start {
				return nil, errUnusual
			}
			continue // comments alone
		}
		key := nameKey(h.kind, h.name)
		if names[key] {
			return nil, errUnusual
		}
		names[key] = true
		d.heading = h
	}
	return docs, nil
}

func (s survey) scan() (landmarks, error) {
	parts := make([]landmarks, s.size/s.part+1)
	err := onAllCores(len(parts), s.size, func() func(int) error {
		buffer := make([]byte, 1+s.part+s.line)
		return func(i int) error {
			start := max(i*s.part-1, 0) // a line begins behind the end of another
			text := buffer[:min(len(buffer), s.size-start)]
			if err := s.read(text, start); err != nil {
				return err
			}
			first, end := i*s.part-start, min((i+1)*s.part-start, len(text))
			if first == end {
				return nil
			}
			if start+len(text) < s.size && bytes.IndexByte(text[end-1:], '\n') < 0 {
				return errUnusual // the last line may go on
			}
			parts[i] = scanBetween(text, first, end)
			if len(parts[i].odd) > 0 {
				return errUnusual
			}
			for j := range parts[i].separators {
				parts[i].separators[j] += start
			}
			return nil
		}
	})
	return join(parts), err
}
