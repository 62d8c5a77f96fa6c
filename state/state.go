// Package state owns the YAML state file: a stream of documents, one a host
// pool or a gateway cluster. It reads strictly, parses only the documents that
// are asked for, and edits so that nothing but the meant bytes change.
//
// A file is read with Open. It is changed with Update, whose function gets a Tx
// and changes the pools and clusters that it takes out of it; Preview does the
// same and writes nothing.
package state

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/agnivade/levenshtein"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
)

// Options says which state file, and how long to wait for its lock.
type Options struct {
	Path        string
	LockTimeout time.Duration
}

// A Snapshot is the state file as it was when it was read. What its methods
// return is the caller's: changing it does not change the file.
type Snapshot struct{ file *file }

// Open reads the state file. Errors: *NoFileError, *InvalidError,
// *atomicfile.TooLargeError, and what the system says.
func Open(path string) (*Snapshot, error) {
	data, err := atomicfile.Read(path, MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NoFileError{File: path}
	}
	if err != nil {
		return nil, err
	}
	f, err := cut(path, data)
	if err != nil {
		return nil, err
	}
	return &Snapshot{file: f}, nil
}

// Path is the path that the file was opened by.
func (s *Snapshot) Path() string { return s.file.path }

// Resolve returns a path that the file names, which is relative to its folder.
func (s *Snapshot) Resolve(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.file.path), filepath.FromSlash(path))
}

// Names lists the names of all resources of a kind, in file order.
func (s *Snapshot) Names(kind Kind) []string {
	var names []string
	for i := range s.file.docs {
		if d := &s.file.docs[i]; d.kind == kind {
			names = append(names, d.name)
		}
	}
	return names
}

// Pool returns the host pool of that name, without regard to case; an ARM id
// will do. The error for a pool that isn't there is a *NotFoundError.
func (s *Snapshot) Pool(name string) (*hostpool.Pool, error) {
	r, _, err := s.load(HostPool, name)
	return r.pool, err
}

// Cluster returns the cluster of that name or id; see Pool.
func (s *Snapshot) Cluster(name string) (*gateway.Cluster, error) {
	r, _, err := s.load(Cluster, name)
	return r.cluster, err
}

// Pools returns the host pools whose name is wanted, in file order.
func (s *Snapshot) Pools(wanted func(name string) bool) ([]*hostpool.Pool, error) {
	resources, err := s.loadAll(HostPool, wanted)
	pools := make([]*hostpool.Pool, len(resources))
	for i, r := range resources {
		pools[i] = r.pool
	}
	return pools, err
}

// Clusters returns the clusters whose name is wanted, in file order.
func (s *Snapshot) Clusters(wanted func(name string) bool) ([]*gateway.Cluster, error) {
	resources, err := s.loadAll(Cluster, wanted)
	clusters := make([]*gateway.Cluster, len(resources))
	for i, r := range resources {
		clusters[i] = r.cluster
	}
	return clusters, err
}

func (s *Snapshot) load(kind Kind, name string) (resource, *document, error) {
	d := s.file.find(kind, name)
	if d == nil {
		return resource{}, nil, &NotFoundError{File: s.file.path, Kind: kind, Name: name, Near: nearest(name, s.Names(kind))}
	}
	r, err := s.file.read(d, new(nodeSlab))
	return r, d, err
}

// loadAll parses the wanted documents on all processors: they are independent.
func (s *Snapshot) loadAll(kind Kind, wanted func(name string) bool) ([]resource, error) {
	var docs []*document
	for i := range s.file.docs {
		if d := &s.file.docs[i]; d.kind == kind && wanted(d.name) {
			docs = append(docs, d)
		}
	}
	resources := make([]resource, len(docs))
	errs := make([]error, len(docs))
	workers := min(runtime.GOMAXPROCS(0), len(docs))
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			slab := new(nodeSlab)
			for i := w; i < len(docs); i += workers {
				slab.reset()
				resources[i], errs[i] = s.file.read(docs[i], slab)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return resources, nil
}

// read parses and decodes one document.
func (f *file) read(d *document, slab *nodeSlab) (resource, error) {
	root, err := f.parse(d, slab)
	if err != nil {
		return resource{}, err
	}
	if root == nil {
		return resource{}, f.errorAt(d.start, "the document is empty")
	}
	return f.decode(root)
}

func nearest(name string, names []string) string {
	best, distance := "", len(name)/2+1
	if len(name) > 64 {
		return ""
	}
	for _, n := range names {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	return best
}

// A Tx is one change of the state file. The pools and clusters that its methods
// return may be changed; what differs in the end is written.
type Tx struct {
	Snapshot
	loaded  []*tracked
	added   []resource
	removed map[*document]bool
}

// tracked is a resource that was handed out to be changed.
type tracked struct {
	doc  *document
	root *node
	old  resource
	new  resource
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
		if r.kind() == kind && strings.EqualFold(r.name(), name) {
			return r, nil
		}
	}
	d := tx.file.find(kind, name)
	if d == nil || tx.removed[d] {
		return resource{}, &NotFoundError{File: tx.file.path, Kind: kind, Name: name, Near: nearest(name, tx.Names(kind))}
	}
	for _, t := range tx.loaded {
		if t.doc == d {
			return t.new, nil
		}
	}
	root, err := tx.file.parse(d, new(nodeSlab))
	if err != nil {
		return resource{}, err
	}
	t := &tracked{doc: d, root: root}
	if t.old, err = tx.file.decode(root); err != nil {
		return resource{}, err
	}
	if t.new, err = tx.file.decode(root); err != nil {
		return resource{}, err
	}
	tx.loaded = append(tx.loaded, t)
	return t.new, nil
}

// AddPool adds a host pool at the end of the file. The error for a name that
// is there already is an *ExistsError. The pool may be changed until the end of
// the change.
func (tx *Tx) AddPool(p *hostpool.Pool) error { return tx.add(resource{pool: p}) }

// AddCluster adds a cluster at the end of the file; see AddPool.
func (tx *Tx) AddCluster(c *gateway.Cluster) error { return tx.add(resource{cluster: c}) }

func (tx *Tx) add(r resource) error {
	if d := tx.byName(r.kind(), r.name()); d != nil && !tx.removed[d] {
		return &ExistsError{File: tx.file.path, Kind: r.kind(), Name: d.name}
	}
	for _, other := range tx.added {
		if other.kind() == r.kind() && strings.EqualFold(other.name(), r.name()) {
			return &ExistsError{File: tx.file.path, Kind: r.kind(), Name: other.name()}
		}
	}
	tx.added = append(tx.added, r)
	return nil
}

func (s *Snapshot) byName(kind Kind, name string) *document {
	for i := range s.file.docs {
		if d := &s.file.docs[i]; d.kind == kind && strings.EqualFold(d.name, name) {
			return d
		}
	}
	return nil
}

// Remove takes a resource out of the file, its comments included. The error
// for one that isn't there is a *NotFoundError.
func (tx *Tx) Remove(kind Kind, name string) error {
	d := tx.file.find(kind, name)
	if d == nil || tx.removed[d] {
		return &NotFoundError{File: tx.file.path, Kind: kind, Name: name, Near: nearest(name, tx.Names(kind))}
	}
	tx.removed[d] = true
	return nil
}

// A Change is what an update did, or a preview would do.
type Change struct {
	Path       string           // the file, symbolic links resolved
	Backup     string           // where the file as it was before is kept, "" for none
	Written    bool             // false after a preview, and when nothing differs
	Properties []PropertyChange // in the order of the file
}

// Update changes the state file: fn takes out of the transaction what it needs
// and changes it. When fn fails, nothing is written and its error is returned.
// Errors besides: those of Open, *EditError, *ExistsError for a new name that
// is taken, and those of atomicfile.Update.
func Update(ctx context.Context, o Options, fn func(*Tx) error) (Change, error) {
	var change Change
	options := atomicfile.Options{LockTimeout: o.LockTimeout, MaxSize: MaxSize}
	result, err := atomicfile.Update(ctx, o.Path, options, func(old []byte) ([][]byte, error) {
		pieces, properties, err := edit(o.Path, old, fn)
		change.Properties = properties
		return pieces, err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = &NoFileError{File: o.Path}
	}
	change.Path, change.Backup, change.Written = result.Path, result.Backup, result.Written
	return change, err
}

// Preview decides everything that Update would and writes nothing. It takes no
// lock.
func Preview(_ context.Context, o Options, fn func(*Tx) error) (Change, error) {
	s, err := Open(o.Path)
	if err != nil {
		return Change{}, err
	}
	_, properties, err := edit(o.Path, s.file.data, fn)
	return Change{Path: o.Path, Properties: properties}, err
}

// Create makes a new state file with that content, which must be valid. The
// error for a file that is there is fs.ErrExist.
func Create(ctx context.Context, o Options, content []byte) error {
	if _, err := cut(o.Path, content); err != nil {
		return err
	}
	_, err := atomicfile.Update(ctx, o.Path, atomicfile.Options{LockTimeout: o.LockTimeout, MaxSize: MaxSize, Create: true}, func(old []byte) ([][]byte, error) {
		if old != nil {
			return nil, fs.ErrExist
		}
		return [][]byte{content}, nil
	})
	return err
}

// Restore puts the backup in the place of the file, whatever the file holds;
// a second Restore undoes the first. The backup must be valid.
func Restore(ctx context.Context, o Options) (Change, error) {
	result, err := atomicfile.Restore(ctx, o.Path, atomicfile.Options{LockTimeout: o.LockTimeout, MaxSize: MaxSize}, func(data []byte) error {
		f, err := cut(o.Path+".bak", data)
		if err != nil {
			return err
		}
		all := func(string) bool { return true }
		s := &Snapshot{file: f}
		if _, err := s.loadAll(HostPool, all); err != nil {
			return err
		}
		_, err = s.loadAll(Cluster, all)
		return err
	})
	return Change{Path: result.Path, Backup: result.Backup, Written: result.Written}, err
}

// edit runs fn on the file's bytes and returns the new content, or nil when
// nothing differs.
func edit(path string, data []byte, fn func(*Tx) error) ([][]byte, []PropertyChange, error) {
	f, err := cut(path, data)
	if err != nil {
		return nil, nil, err
	}
	tx := &Tx{Snapshot: Snapshot{file: f}, removed: map[*document]bool{}}
	if err := fn(tx); err != nil {
		return nil, nil, err
	}
	return tx.commit()
}

// commit turns the differences into splices, checks each changed document by
// reading it again, and returns the new content.
func (tx *Tx) commit() ([][]byte, []PropertyChange, error) {
	var splices []splice
	var changes []PropertyChange
	for i := range tx.file.docs {
		d := &tx.file.docs[i]
		e := editor{file: tx.file, kind: d.kind, name: d.name}
		t := tx.trackedFor(d)
		switch {
		case tx.removed[d]:
			e.note(nil, string(d.kind), "")
			e.removeDocument(d, i)
		case t != nil:
			if err := tx.checkName(t); err != nil {
				return nil, nil, err
			}
			e.structure(t.new.shape(), t.root, t.old.value(), t.new.value(), nil)
			if e.err == nil && len(e.splices) > 0 {
				e.err = tx.file.check(d, e.splices, t.new)
			}
		}
		if e.err != nil {
			return nil, nil, e.err
		}
		splices = append(splices, e.splices...)
		changes = append(changes, e.changes...)
	}
	pieces, ok := apply(tx.file.data, splices)
	if !ok {
		return nil, nil, fmt.Errorf("edits of %s overlap", tx.file.path)
	}
	for i, r := range tx.added {
		text, err := tx.file.appended(r, pieces, i == 0 && tx.empty())
		if err != nil {
			return nil, nil, err
		}
		pieces = append(pieces, text)
		changes = append(changes, PropertyChange{Kind: r.kind(), Resource: r.name(), New: string(r.kind())})
	}
	if len(splices) == 0 && len(tx.added) == 0 {
		return nil, changes, nil
	}
	return pieces, changes, nil
}

// empty reports whether no document of the file stays.
func (tx *Tx) empty() bool {
	for i := range tx.file.docs {
		if d := &tx.file.docs[i]; d.kind != "" && !tx.removed[d] {
			return false
		}
	}
	return true
}

func (tx *Tx) trackedFor(d *document) *tracked {
	for _, t := range tx.loaded {
		if t.doc == d {
			return t
		}
	}
	return nil
}

// checkName makes sure that a renamed resource takes no other's name.
func (tx *Tx) checkName(t *tracked) error {
	if strings.EqualFold(t.old.name(), t.new.name()) {
		return nil
	}
	if d := tx.byName(t.new.kind(), t.new.name()); d != nil && !tx.removed[d] {
		return &ExistsError{File: tx.file.path, Kind: d.kind, Name: d.name}
	}
	return nil
}

// check reads a document with its splices applied and makes sure that it says
// what was meant.
func (f *file) check(d *document, splices []splice, want resource) error {
	local := make([]splice, len(splices))
	for i, s := range splices {
		local[i] = splice{s.start - d.start, s.end - d.start, s.text}
	}
	pieces, ok := apply(f.data[d.start:d.end], local)
	if !ok {
		return &EditError{File: f.path, Line: f.line(f.content(d)), Message: "this edit would touch more than it means to; make it by hand"}
	}
	text := join(pieces)
	edited := &file{path: f.path, data: text, eol: f.eol}
	got, err := edited.read(&document{end: len(text)}, new(nodeSlab))
	if err != nil {
		return &EditError{File: f.path, Line: f.line(f.content(d)), Message: fmt.Sprintf("the edited document would not be valid, so nothing was written: %v", err)}
	}
	return f.mustEqual(d, got, want)
}

func (f *file) mustEqual(d *document, got, want resource) error {
	if got.kind() != want.kind() || !want.shape().same(got.value(), want.value()) {
		return &EditError{File: f.path, Line: f.line(f.content(d)), Message: "the edit can't be made in the way this document is written, so nothing was written; make it by hand"}
	}
	return nil
}

// appended gives the text of a new document behind the pieces; first says that
// there is no other in the file.
func (f *file) appended(r resource, pieces [][]byte, first bool) ([]byte, error) {
	text := encode(r, f.eol)
	added := &file{path: f.path, data: []byte(text), eol: f.eol}
	got, err := added.read(&document{end: len(text)}, new(nodeSlab))
	if err != nil {
		return nil, fmt.Errorf("%s %q can't be written: %w", r.kind().words(), r.name(), err)
	}
	if !r.shape().same(got.value(), r.value()) {
		return nil, fmt.Errorf("%s %q can't be written as it is", r.kind().words(), r.name())
	}
	last := byte('\n')
	for _, p := range pieces {
		if len(p) > 0 {
			last = p[len(p)-1]
		}
	}
	switch {
	case first && last != '\n':
		text = f.eol + text
	case first:
	case last == '\n':
		text = "---" + f.eol + text
	default:
		// The file has no final line end: it keeps none.
		text = f.eol + "---" + f.eol + strings.TrimSuffix(text, f.eol)
	}
	return []byte(text), nil
}

// removeDocument takes out a document with the separator that belongs to it:
// its own, or for the first one the next one's.
func (e *editor) removeDocument(d *document, index int) {
	data := e.file.data
	if d.separator < 0 {
		end := d.end
		if index+1 < len(e.file.docs) {
			end = e.file.docs[index+1].start
			for end < len(data) && data[end-1] != '\n' {
				end++
			}
		}
		e.splice(d.start, end, "")
		return
	}
	start := d.separator
	if d.end == len(data) && d.end > 0 && data[d.end-1] != '\n' && start > 0 {
		start--
		if start > 0 && data[start-1] == '\r' {
			start--
		}
	}
	e.splice(start, d.end, "")
}

func join(pieces [][]byte) []byte {
	n := 0
	for _, p := range pieces {
		n += len(p)
	}
	text := make([]byte, 0, n)
	for _, p := range pieces {
		text = append(text, p...)
	}
	return text
}

// Position is a place in the state file, from 1.
type Position struct{ Line, Column int }

// Locate finds where a property of a resource stands. The path holds property
// names, and items of a list by their name. Where the last steps are not in the
// file it gives the place of the nearest one that is.
func (s *Snapshot) Locate(kind Kind, name string, path []string) Position {
	d := s.file.find(kind, name)
	if d == nil {
		return Position{1, 1}
	}
	at := s.file.content(d)
	if root, err := s.file.parse(d, new(nodeSlab)); err == nil && root != nil {
		at = locate(root, path, at)
	}
	invalid := s.file.errorAt(at, "").(*InvalidError)
	return Position{invalid.Line, invalid.Column}
}

func locate(n *node, path []string, at int) int {
	if len(path) == 0 {
		return at
	}
	if n.kind == sequenceNode {
		for i := range n.items {
			item := &n.items[i]
			for _, key := range []string{"name", "user", "principal", "id"} {
				if _, v := item.entry(key); v != nil && strings.EqualFold(v.value, path[0]) {
					return locate(item, path[1:], item.start)
				}
			}
		}
		return at
	}
	key, value := n.entry(path[0])
	if key == nil {
		return at
	}
	return locate(value, path[1:], key.start)
}
