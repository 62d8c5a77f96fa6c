package simulate

// depthFirst keeps a set of hosts for each session count. The rule (package
// balance): the host with the most sessions below the limit, on a tie the first
// in file order; so the highest count in use below the limit, and the first of
// its set.
//
// Sets are returned to spare when their last host leaves: memory goes with the
// number of different counts at one time, not with the counts ever seen.
type depthFirst struct {
	*seats
	groups []bitmap // by session count
	used   bitmap   // counts whose group has a member
	spare  []bitmap
}

func (d *depthFirst) pick() int32 {
	count := d.used.before(int(d.limit))
	if count < 0 {
		return absent
	}
	return int32(d.groups[count].first())
}

func (d *depthFirst) any() bool { return d.pick() != absent }

func (d *depthFirst) probability(host int32) float64 {
	if d.pick() == host {
		return 1
	}
	return 0
}

func (d *depthFirst) insert(host int32) {
	d.hosts[host].position = 0
	d.enter(int(d.hosts[host].sessions), host)
}

func (d *depthFirst) remove(host int32) {
	d.hosts[host].position = absent
	d.leave(int(d.hosts[host].sessions), host)
}

func (d *depthFirst) raise(host int32) { d.shift(host, 1) }
func (d *depthFirst) lower(host int32) { d.shift(host, -1) }

func (d *depthFirst) shift(host, by int32) {
	s := &d.hosts[host]
	d.leave(int(s.sessions), host)
	s.sessions += by
	d.enter(int(s.sessions), host)
}

func (d *depthFirst) enter(count int, host int32) {
	for count >= len(d.groups) {
		d.groups = append(d.groups, nil)
	}
	group := &d.groups[count]
	if *group == nil {
		d.used.set(count)
		if last := len(d.spare) - 1; last >= 0 {
			*group, d.spare = d.spare[last], d.spare[:last]
		}
	}
	group.set(int(host))
}

func (d *depthFirst) leave(count int, host int32) {
	group := &d.groups[count]
	group.clear(int(host))
	if group.empty() {
		d.used.clear(count)
		d.spare = append(d.spare, *group)
		*group = nil
	}
}
