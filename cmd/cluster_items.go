package cmd

import (
	"fmt"
	"slices"
	"strings"

	"gatepool/pkg/gateway"
	"gatepool/pkg/output"
	"gatepool/pkg/spelling"
	"gatepool/state"
)

// items is a list of named things in a cluster: its members, users or data
// sources, or the users of a data source.
type items[T any] struct {
	list  *[]T
	noun  string                    // what one of them is called
	owner string                    // whose they are, such as "cluster finance"
	get   string                    // the command that lists them
	names func(T) (name, id string) // id is "" where none is known
}

func members(c *gateway.Cluster) items[gateway.Member] {
	return items[gateway.Member]{&c.Members, "member", "cluster " + c.Name, "get-member " + c.Name,
		func(m gateway.Member) (name, id string) { return m.Name, m.ID }}
}

func clusterUsers(c *gateway.Cluster) items[gateway.User] {
	return items[gateway.User]{&c.Users, "user", "cluster " + c.Name, "get-cluster-user " + c.Name,
		func(u gateway.User) (name, id string) { return u.Principal, u.ID }}
}

func dataSources(c *gateway.Cluster) items[gateway.DataSource] {
	return items[gateway.DataSource]{&c.DataSources, "data source", "cluster " + c.Name, "get-datasource " + c.Name,
		func(d gateway.DataSource) (name, id string) { return d.Name, d.ID }}
}

// dataSourceUsers may be named by the ids that they have as users of the
// cluster.
func dataSourceUsers(c *gateway.Cluster, d *gateway.DataSource) items[gateway.DataSourceUser] {
	return items[gateway.DataSourceUser]{&d.Users, "user", "data source " + d.Name, "get-datasource-user " + c.Name + " " + d.Name,
		func(u gateway.DataSourceUser) (name, id string) {
			i := slices.IndexFunc(c.Users, func(known gateway.User) bool { return strings.EqualFold(known.Principal, u.Principal) })
			if i < 0 {
				return u.Principal, ""
			}
			return u.Principal, c.Users[i].ID
		}}
}

// find finds the items that a name means: exact, also where it looks like one
// with wildcards, with wildcards, or by id.
func (l items[T]) find(given string) ([]int, error) {
	p := newPattern(given)
	var found []int
	byID := -1
	names := make([]string, len(*l.list))
	for i, item := range *l.list {
		name, id := l.names(item)
		names[i] = name
		switch {
		case strings.EqualFold(name, given):
			return []int{i}, nil
		case p.matches(name):
			found = append(found, i)
		case id != "" && strings.EqualFold(id, given):
			byID = i
		}
	}
	switch {
	case len(found) > 0 || !p.exact():
		return found, nil
	case byID >= 0:
		return []int{byID}, nil
	}
	f := notFoundf(given, "%s %q is not in %s", l.noun, given, l.owner)
	if near := spelling.Nearest(given, names); near != "" {
		return nil, f.withHint("did you mean %s?", near)
	}
	return nil, f.withHint("gatepool %s lists the %ss", l.get, l.noun)
}

// one finds the only item that a name means.
func (l items[T]) one(given string) (*T, error) {
	found, err := l.find(given)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, notFoundf(given, "no %s of %s matches %q", l.noun, l.owner, given)
	case len(found) > 1:
		return nil, usagef("%q matches %d %ss of %s: name one", given, len(found), l.noun, l.owner)
	}
	return &(*l.list)[found[0]], nil
}

// choose finds the items that names choose, each once, in file order; no names
// choose all. errs[i] says that there is no given[i].
func (l items[T]) choose(given []string) (chosen []int, errs []error) {
	wanted := make([]bool, len(*l.list))
	errs = make([]error, len(given))
	for i, name := range given {
		var found []int
		found, errs[i] = l.find(name)
		for _, at := range found {
			wanted[at] = true
		}
	}
	for i := range wanted {
		if wanted[i] || len(given) == 0 {
			chosen = append(chosen, i)
		}
	}
	return chosen, errs
}

// each runs fn on each item that the names choose; see targets.each.
func (l items[T]) each(t *targets, given []string, fn func(i int) error) error {
	t.errs, t.all = nil, 0
	for _, name := range given {
		l.visit(t, name, fn)
	}
	return t.nothingDone()
}

// visit runs fn on each item that one name chooses, and counts them.
func (l items[T]) visit(t *targets, given string, fn func(i int) error) {
	found, err := l.find(given)
	if err != nil {
		t.count(err)
	}
	for _, i := range found {
		t.count(fn(i))
	}
}

// count counts a target, and what became of it.
func (t *targets) count(err error) {
	t.all++
	if err != nil {
		t.errs = append(t.errs, err)
	}
}

// add appends an item of each name; see targets.each.
func (l items[T]) add(t *targets, names []string, item func(name string) (T, error)) error {
	return t.each(names, func(name string) error {
		if err := checkName(l.noun, name); err != nil {
			return err
		}
		if found, _ := l.find(name); len(found) > 0 {
			return existsf(name, "%s %q is in %s already", l.noun, name, l.owner)
		}
		made, err := item(name)
		if err == nil {
			*l.list = append(*l.list, made)
		}
		return err
	})
}

// checkNewName checks a name that one item is to get.
func (l items[T]) checkNewName(item *T, name string) error {
	if err := checkName(l.noun, name); err != nil {
		return err
	}
	for i := range *l.list {
		other := &(*l.list)[i]
		if taken, _ := l.names(*other); other != item && strings.EqualFold(taken, name) {
			return existsf(name, "%s %q is in %s already", l.noun, name, l.owner)
		}
	}
	return nil
}

// remove takes the items at these places out of the list.
func (l items[T]) remove(gone map[int]bool) {
	kept := (*l.list)[:0]
	for i, item := range *l.list {
		if !gone[i] {
			kept = append(kept, item)
		}
	}
	*l.list = kept
}

// removeItems runs a command that takes items out of a list.
func removeItems[T any](a *app, f changeFlags, from string, names []string, of func(*state.Tx) (items[T], error)) error {
	var t targets
	err := a.change(f, fmt.Sprintf("Remove %s from %s?", strings.Join(names, ", "), from), func(tx *state.Tx) error {
		l, err := of(tx)
		if err != nil {
			return err
		}
		gone := map[int]bool{}
		err = l.each(&t, names, func(i int) error {
			gone[i] = true
			return nil
		})
		l.remove(gone)
		return err
	})
	if err != nil {
		return err
	}
	return t.err()
}

// listItems runs a command that lists items of clusters: all of them, those of
// CLUSTER, or of those NAME...
func listItems[T, R any](a *app, args []string, of func(*gateway.Cluster) items[T], row func(*gateway.Cluster, T) R, columns []output.Column[R]) error {
	var rows []R
	failed, err := a.eachChosen(args, func(_ *state.Snapshot, c *gateway.Cluster, names []string) ([]error, error) {
		l := of(c)
		chosen, errs := l.choose(names)
		for _, i := range chosen {
			rows = append(rows, row(c, (*l.list)[i]))
		}
		return errs, nil
	})
	if err != nil {
		return err
	}
	if err := print(a, rows, columns); err != nil {
		return err
	}
	return failed
}

// eachChosen runs fn on each cluster that the first argument chooses, with the
// names behind it. fn says which of them the cluster lacks: a name that no
// cluster has is what failed.
func (a *app) eachChosen(args []string, fn func(s *state.Snapshot, c *gateway.Cluster, names []string) ([]error, error)) (failed, err error) {
	s, err := state.Open(a.statePath())
	if err != nil {
		return nil, err
	}
	var names []string
	if len(args) > 0 {
		args, names = args[:1], args[1:]
	}
	clusters, errs, err := chooseClusters(s, args)
	if err != nil {
		return nil, err
	}
	var lacking lacking
	for _, c := range clusters {
		missing, err := fn(s, c, names)
		if err != nil {
			return nil, err
		}
		lacking.note(missing)
	}
	errs = append(errs, lacking.everywhere()...)
	return combine(errs, max(1, len(names))), nil
}

// lacking gathers which names several lists lack.
type lacking struct {
	errs  [][]error // by name
	lists int
}

// note takes what items.choose says of one list.
func (l *lacking) note(errs []error) {
	l.lists++
	if l.errs == nil {
		l.errs = make([][]error, len(errs))
	}
	for i, err := range errs {
		if err != nil {
			l.errs[i] = append(l.errs[i], err)
		}
	}
}

// everywhere says which names no list has.
func (l *lacking) everywhere() []error {
	var errs []error
	for _, each := range l.errs {
		if len(each) == l.lists {
			errs = append(errs, each[0])
		}
	}
	return errs
}

// chooseClusters reads the clusters that names, ids and wildcards choose, and
// says which exact names there are not.
func chooseClusters(s *state.Snapshot, names []string) (clusters []*gateway.Cluster, missing []error, err error) {
	chosen := newSelection(names)
	for i, p := range chosen {
		name, err := s.NameOf(state.Cluster, p.text)
		switch {
		case err == nil:
			chosen[i] = pattern{text: name}
		case p.exact():
			missing = append(missing, err)
		}
	}
	clusters, err = s.Clusters(func(name string) bool { return chosen.wants(name) })
	return clusters, missing, err
}
