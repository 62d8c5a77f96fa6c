package state

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"gatepool/pkg/atomicfile"
	"gatepool/pkg/gateway"
	"gatepool/pkg/hostpool"
	"gatepool/pkg/spelling"
)

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
	r, err := s.load(HostPool, name)
	return r.pool, err
}

// Cluster returns the cluster of that name or id; see Pool.
func (s *Snapshot) Cluster(name string) (*gateway.Cluster, error) {
	r, err := s.load(Cluster, name)
	return r.cluster, err
}

// Pools returns the host pools whose name is wanted, in file order.
func (s *Snapshot) Pools(wanted func(name string) bool) ([]*hostpool.Pool, error) {
	return s.PoolsNaming("", wanted)
}

// PoolsNaming is Pools without those that don't hold a text, such as a user's
// name, in any case. It may return pools that don't hold it; it leaves out none
// that do. Only documents that may hold the text are parsed.
func (s *Snapshot) PoolsNaming(text string, wanted func(name string) bool) ([]*hostpool.Pool, error) {
	resources, err := s.loadAll(HostPool, wanted, text)
	pools := make([]*hostpool.Pool, len(resources))
	for i, r := range resources {
		pools[i] = r.pool
	}
	return pools, err
}

// Clusters returns the clusters whose name is wanted, in file order.
func (s *Snapshot) Clusters(wanted func(name string) bool) ([]*gateway.Cluster, error) {
	resources, err := s.loadAll(Cluster, wanted, "")
	clusters := make([]*gateway.Cluster, len(resources))
	for i, r := range resources {
		clusters[i] = r.cluster
	}
	return clusters, err
}

func (s *Snapshot) load(kind Kind, name string) (resource, error) {
	d := s.file.find(kind, name)
	if d == nil {
		return resource{}, s.notFound(kind, name)
	}
	return s.file.read(d, newValueSink())
}

func (s *Snapshot) notFound(kind Kind, name string) error {
	return &NotFoundError{File: s.file.path, Kind: kind, Name: name, Near: spelling.Nearest(name, s.Names(kind))}
}

// MapPools reads the host pools whose name is wanted and returns what fn makes
// of each, in file order. fn is called on all processors, as soon as a pool is
// read. Of the pool's hosts and sessions it must keep nothing but texts of hosts:
// their memory serves the next pool.
func MapPools[T any](s *Snapshot, wanted func(name string) bool, fn func(p *hostpool.Pool) T) ([]T, error) {
	docs := s.wanted(HostPool, wanted)
	made := make([]T, len(docs))
	err := onAllCores(len(docs), len(s.file.data), func() func(int) error {
		values := newValueSink()
		return func(i int) error {
			r, err := s.file.read(docs[i], values)
			if err != nil {
				return err
			}
			made[i] = fn(r.pool)
			values.recycle()
			return nil
		}
	})
	return made, err
}

func (s *Snapshot) wanted(kind Kind, wanted func(name string) bool) []*document {
	var docs []*document
	for i := range s.file.docs {
		if d := &s.file.docs[i]; d.kind == kind && wanted(d.name) {
			docs = append(docs, d)
		}
	}
	return docs
}

// loadAll parses the wanted documents that may hold the text.
func (s *Snapshot) loadAll(kind Kind, wanted func(name string) bool, text string) ([]resource, error) {
	docs := s.wanted(kind, wanted)
	resources := make([]resource, len(docs))
	err := onAllCores(len(docs), len(s.file.data), func() func(int) error {
		values := newValueSink()
		return func(i int) (err error) {
			if s.file.mayHold(docs[i], text) {
				resources[i], err = s.file.read(docs[i], values)
			}
			return err
		}
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(resources, func(r resource) bool { return r == resource{} }), nil
}

// onAllCores calls the functions that worker makes, one for each processor, for
// 0 to n-1 and returns the error of the first that failed. All together look at
// that many bytes: few are not worth more than one processor.
func onAllCores(n, bytes int, worker func() func(i int) error) error {
	errs := make([]error, n)
	workers := min(runtime.GOMAXPROCS(0), n, 1+bytes>>16)
	work := func(first int) {
		do := worker()
		for i := first; i < n; i += workers {
			errs[i] = do(i)
		}
	}
	var wait sync.WaitGroup
	for w := 1; w < workers; w++ {
		wait.Go(func() { work(w) })
	}
	work(0)
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// mayHold reports whether a document can hold a text in any case. Where the
// file may write it otherwise than letter by letter it answers yes: behind an
// escape, with a blank or quote in it, or with letters beyond ASCII, among which
// are other cases of k and s.
func (f *file) mayHold(d *document, text string) bool {
	content := f.text(d)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\'' || r >= utf8.RuneSelf }) ||
		strings.Contains(content, `\`) || strings.Contains(content, "\u212A") || strings.Contains(content, "\u017F") {
		return true
	}
	first := strings.ToLower(text[:1]) + strings.ToUpper(text[:1])
	for at := 0; ; at++ {
		i := strings.IndexAny(content[at:], first)
		if i < 0 {
			return false
		}
		at += i
		if len(content)-at >= len(text) && strings.EqualFold(content[at:at+len(text)], text) {
			return true
		}
	}
}

// read decodes one document, which has content.
func (f *file) read(d *document, values *valueSink) (resource, error) {
	if d.simple {
		if r, ok := values.read(f.text(d)); ok {
			return r, nil
		}
	}
	root, err := f.parse(d)
	if err != nil {
		return resource{}, err
	}
	if root == nil {
		return resource{}, f.errorAt(d.start, "the document is empty")
	}
	return f.decode(root)
}
