package state

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// A Tx is one change of the state file. The pools and clusters that Pool and
// Cluster return may be changed; what differs in the end is written. All other
// methods of the Snapshot show the file as it was before the change.
type Tx struct {
	Snapshot
	loaded  map[*document]*tracked
	added   []resource
	removed map[*document]bool
}

// tracked is a resource that was handed out to be changed.
type tracked struct {
	root     *node
	old, new resource
}

// Pool returns the host pool of that name to be changed; see Snapshot.Pool.
func (tx *Tx) Pool(name string) (*hostpool.Pool, error) {
	r, err := tx.take(HostPool, name)
	return r.pool, err
}

// Cluster returns the cluster of that name to be changed; see Snapshot.Cluster.
func (tx *Tx) Cluster(name string) (*gateway.Cluster, error) {
	r, err := tx.take(Cluster, name)
	return r.cluster, err
}

func (tx *Tx) take(kind Kind, name string) (resource, error) {
	for _, r := range tx.added {
		if r.kind() == kind && r.answersTo(name) {
			return r, nil
		}
	}
	d := tx.file.find(kind, name)
	if d == nil {
		// An id may have been given to it in this very change.
		for other, t := range tx.loaded {
			if other.kind == kind && t.new.answersTo(name) {
				d = other
			}
		}
	}
	if d == nil || tx.removed[d] {
		return resource{}, tx.notFound(kind, name)
	}
	if t := tx.loaded[d]; t != nil {
		return t.new, nil
	}
	// An edit needs all three, and each is read from the text alone.
	t := new(tracked)
	err := onAllCores(3, 3*(d.end-d.start), func() func(int) error {
		return func(i int) (err error) {
			switch i {
			case 0:
				t.old, err = tx.file.read(d, newValueSink())
			case 1:
				t.new, err = tx.file.read(d, newValueSink())
			case 2:
				t.root, err = tx.file.parse(d)
			}
			return err
		}
	})
	if err != nil {
		return resource{}, err
	}
	tx.loaded[d] = t
	return t.new, nil
}

// AddPool adds a host pool at the end of the file. The error for a name that
// is there already is an *ExistsError. The pool may be changed until the end of
// the change.
func (tx *Tx) AddPool(p *hostpool.Pool) error { return tx.add(resource{pool: p}) }

// AddCluster adds a cluster at the end of the file; see AddPool.
func (tx *Tx) AddCluster(c *gateway.Cluster) error { return tx.add(resource{cluster: c}) }

func (tx *Tx) add(r resource) error {
	tx.added = append(tx.added, r)
	if err := tx.checkNames(); err != nil {
		tx.added = tx.added[:len(tx.added)-1]
		return err
	}
	return nil
}

// Remove takes a resource out of the file, its comments included. The error
// for one that isn't there is a *NotFoundError.
func (tx *Tx) Remove(kind Kind, name string) error {
	d := tx.file.find(kind, name)
	if d == nil || tx.removed[d] {
		return tx.notFound(kind, name)
	}
	tx.removed[d] = true
	return nil
}

// checkNames makes sure that no two resources of a kind have one name.
func (tx *Tx) checkNames() error {
	taken := make(map[string]bool)
	take := func(kind Kind, name string) error {
		key := nameKey(kind, name)
		if taken[key] {
			return &ExistsError{File: tx.file.path, Kind: kind, Name: name}
		}
		taken[key] = true
		return nil
	}
	for i := range tx.file.docs {
		d := &tx.file.docs[i]
		if d.kind == "" || tx.removed[d] {
			continue
		}
		name := d.name
		if t := tx.loaded[d]; t != nil {
			name = t.new.name()
		}
		if err := take(d.kind, name); err != nil {
			return err
		}
	}
	for _, r := range tx.added {
		if err := take(r.kind(), r.name()); err != nil {
			return err
		}
	}
	return nil
}

// commit turns the differences into splices, checks each changed document by
// reading it again, and returns the new content, or nil when nothing differs.
func (tx *Tx) commit() ([][]byte, []PropertyChange, error) {
	if err := tx.checkNames(); err != nil {
		return nil, nil, err
	}
	f, open := tx.file.closed()
	var splices []splice
	var changes []PropertyChange
	for i := range f.docs {
		d, read := &f.docs[i], &tx.file.docs[i]
		e := editor{file: f, kind: d.kind, name: d.name}
		if tx.removed[read] {
			e.note(nil, string(d.kind), "")
			e.removeDocument(i)
		} else if t := tx.loaded[read]; t != nil {
			e.shape, e.root = t.new.shape(), t.root
			e.structure(e.shape, e.root, nil, t.old.value(), t.new.value(), nil)
			if e.err == nil && len(e.changes) > 0 {
				last := i == len(f.docs)-1 && len(tx.added) == 0
				e.err = f.check(d, e.splices, t.new, open && last)
			}
		}
		if e.err != nil {
			return nil, nil, e.err
		}
		splices = append(splices, e.splices...)
		changes = append(changes, e.changes...)
	}
	if len(splices) == 0 && len(tx.added) == 0 {
		return nil, changes, nil
	}
	pieces, ok := apply(f.data, splices)
	if !ok {
		return nil, nil, fmt.Errorf("edits of %s overlap", f.path)
	}
	for _, r := range tx.added {
		text, err := f.encoded(r)
		if err != nil {
			return nil, nil, err
		}
		if !empty(pieces) {
			text = "---" + f.eol + text
		}
		pieces = append(pieces, []byte(text))
		changes = append(changes, PropertyChange{Kind: r.kind(), Resource: r.name(), New: string(r.kind())})
	}
	if open {
		pieces = openEnd(pieces)
	}
	return pieces, changes, nil
}

// closed returns the file with a line end at its end. Edits then deal with
// whole lines only; open says that the file had none, and should have none.
func (f *file) closed() (closed *file, open bool) {
	n := len(f.data)
	if n == 0 || f.data[n-1] == '\n' || n == len(utf8BOM) && bytes.HasPrefix(f.data, utf8BOM) {
		return f, false
	}
	c := *f
	c.data = append(f.data[:n:n], f.eol...)
	c.docs = slices.Clone(f.docs)
	c.docs[len(c.docs)-1].end = len(c.data)
	return &c, true
}

// openEnd takes the last line end away.
func openEnd(pieces [][]byte) [][]byte {
	for i := len(pieces) - 1; i >= 0; i-- {
		if len(pieces[i]) > 0 {
			pieces[i] = bytes.TrimSuffix(bytes.TrimSuffix(pieces[i], []byte{'\n'}), []byte{'\r'})
			break
		}
	}
	return pieces
}

// empty reports whether nothing stands in the pieces, save a byte-order mark.
func empty(pieces [][]byte) bool {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	return n == 0 || n == len(utf8BOM) && bytes.Equal(slices.Concat(pieces...), utf8BOM)
}

// check reads a document with its splices applied and makes sure that it says
// what was meant.
func (f *file) check(d *document, splices []splice, want resource, open bool) error {
	fail := func(format string, args ...any) error {
		return &EditError{File: f.path, Line: f.line(f.content(d)), Message: fmt.Sprintf(format, args...)}
	}
	local := make([]splice, len(splices))
	for i, s := range splices {
		local[i] = splice{s.start - d.start, s.end - d.start, s.text}
	}
	pieces, ok := apply(f.data[d.start:d.end], local)
	if !ok {
		return fail("this edit would touch more than it means to; make it by hand")
	}
	if open {
		pieces = openEnd(pieces)
	}
	got, err := f.readText(slices.Concat(pieces...))
	if invalid := (*InvalidError)(nil); errors.As(err, &invalid) {
		return fail("the edited document would not be valid, so nothing was written: %s", invalid.Message)
	}
	if err != nil {
		return err
	}
	if !got.same(want) {
		return fail("the edit can't be made in the way this document is written, so nothing was written; make it by hand")
	}
	return nil
}

// encoded gives the text of a new document, which must read as what it is.
func (f *file) encoded(r resource) (string, error) {
	text := encode(r, f.eol)
	got, err := f.readText([]byte(text))
	if invalid := (*InvalidError)(nil); errors.As(err, &invalid) {
		return "", fmt.Errorf("%s %q can't be written: %s", r.kind().words(), r.name(), invalid.Message)
	}
	if err != nil {
		return "", err
	}
	if !got.same(r) {
		return "", fmt.Errorf("%s %q can't be written as it is", r.kind().words(), r.name())
	}
	return text, nil
}

// readText reads a document that is not in the file yet.
func (f *file) readText(text []byte) (resource, error) {
	edited := &file{path: f.path, data: text, eol: f.eol}
	d := document{end: len(text), simple: len(scan(text).odd) == 0}
	return edited.read(&d, newValueSink())
}

// removeDocument takes out a document with the separator that belongs to it:
// its own, or for the first one the next one's. Comments at the top of the
// file stay if a blank line parts them from the document.
func (e *editor) removeDocument(index int) {
	d := &e.file.docs[index]
	if d.separator >= 0 {
		e.splice(d.separator, d.end, "")
		return
	}
	start, end := d.start, d.end
	for line := start; line < e.file.content(d); line = e.file.nextLine(line) {
		if len(bytes.TrimSpace(e.file.data[line:e.file.nextLine(line)])) == 0 {
			start = e.file.nextLine(line)
		}
	}
	if index+1 < len(e.file.docs) && start == d.start {
		end = e.file.nextLine(end)
	}
	e.splice(start, end, "")
}
