package simulate

// breadthFirst keeps its hosts in one list by session count, with the place
// where each count starts. A session more or less swaps the host to the edge of
// its group and moves that edge by one, so a change is a swap and nothing is
// ever searched.
//
// The rule (package balance): of the n hosts below the limit the ceil(n/2) with
// the fewest sessions, each equally likely; where the edge of that half cuts a
// group of equal hosts, all of the group share the seats that fit. So a rank
// below the cut group names its host directly, and one within it stands for any
// of the group.
type breadthFirst struct {
	*seats
	draws lookahead
	order []int32 // members, fewest sessions first
	// start[c] is the number of members with fewer than c sessions. It covers
	// one count more than any member has, so its last entry is len(order).
	start []int32

	window struct{ from, to int32 } // see member
}

func (b *breadthFirst) eligible() int32 {
	if int(b.limit) < len(b.start) {
		return b.start[b.limit]
	}
	return int32(len(b.order))
}

func (b *breadthFirst) any() bool { return b.eligible() > 0 }

// half returns how many hosts are considered and the group of equal hosts that
// the last of them belongs to.
func (b *breadthFirst) half(eligible int32) (considered, from, to int32) {
	considered = (eligible + 1) / 2
	count := b.hosts[b.order[considered-1]].sessions
	return considered, b.start[count], b.start[count+1]
}

func (b *breadthFirst) pick() int32 {
	n := b.eligible()
	if n == 0 {
		return absent
	}
	considered, from, to := b.half(n)
	if b.draws.used() {
		b.draws.refill()
		if to >= large {
			b.touch(considered, from, to)
		}
	}
	d := b.draws.take()
	rank, member := b.draws.below(d.rank, considered), b.member(d, from, to)
	return b.order[position(rank, member, from)]
}

// position is the rank, or the member in its place where the rank is in the
// group that the half cuts. Both are drawn always: a branch between them would
// be guessed wrong every other time.
func position(rank, member, from int32) int32 {
	if rank >= from {
		rank = member
	}
	return rank
}

// member draws a place from from to to, each equally likely. In a large group
// it draws from the window around it until it hits the group, so that a small
// move of the group's edges does not change what was guessed.
func (b *breadthFirst) member(d draw, from, to int32) int32 {
	if to-from < large {
		return from + b.draws.below(d.member, to-from)
	}
	if from < b.window.from || to > b.window.to {
		b.setWindow(from, to)
	}
	place := b.window.from + b.draws.below(d.member, b.window.to-b.window.from)
	for place < from || place >= to {
		place = b.window.from + b.draws.below(b.draws.random.Uint64(), b.window.to-b.window.from)
	}
	return place
}

// setWindow leaves room for as far as the edges move until the next touch.
func (b *breadthFirst) setWindow(from, to int32) {
	b.window.from = max(0, from-2*ahead)
	b.window.to = min(int32(len(b.order)), to+2*ahead)
}

// touch reads what the draws to come will most likely need.
func (b *breadthFirst) touch(considered, from, to int32) {
	b.setWindow(from, to)
	var likely [ahead]int32
	for i, d := range b.draws.ring {
		member := b.window.from + scale(d.member, b.window.to-b.window.from)
		likely[i] = b.order[position(scale(d.rank, considered), member, from)]
	}
	for _, host := range likely {
		b.touched += b.hosts[host].sessions
	}
}

func (b *breadthFirst) probability(host int32) float64 {
	considered, from, to := b.half(b.eligible())
	position := b.hosts[host].position
	switch {
	case position < from:
		return 1 / float64(considered)
	case position < to:
		return float64(considered-from) / (float64(to-from) * float64(considered))
	}
	return 0
}

func (b *breadthFirst) raise(host int32) {
	s := &b.hosts[host]
	count := s.sessions
	edge := b.start[count+1] - 1
	b.start[count+1] = edge
	b.put(b.order[edge], s.position)
	b.order[edge], s.position = host, edge
	s.sessions = count + 1
	if int(count)+3 > len(b.start) {
		b.start = append(b.start, int32(len(b.order)))
	}
}

func (b *breadthFirst) lower(host int32) {
	s := &b.hosts[host]
	count := s.sessions
	edge := b.start[count]
	b.start[count] = edge + 1
	b.put(b.order[edge], s.position)
	b.order[edge], s.position = host, edge
	s.sessions = count - 1
}

func (b *breadthFirst) put(host, position int32) {
	b.order[position] = host
	b.hosts[host].position = position
}

// insert opens a gap at the end of the list and carries it down to the host's
// group, one host of each group above.
func (b *breadthFirst) insert(host int32) {
	count := b.hosts[host].sessions
	for int(count)+2 > len(b.start) {
		b.start = append(b.start, int32(len(b.order)))
	}
	gap := int32(len(b.order))
	b.order = append(b.order, host)
	top := len(b.start) - 1
	b.start[top]++
	for c := int32(top) - 1; c > count; c-- {
		first := b.start[c]
		b.start[c]++
		if first != gap { // the group has a host
			b.put(b.order[first], gap)
			gap = first
		}
	}
	b.put(host, gap)
}

// remove carries the gap that the host leaves up to the end of the list.
func (b *breadthFirst) remove(host int32) {
	s := &b.hosts[host]
	gap := s.position
	for c := int(s.sessions) + 1; c < len(b.start); c++ {
		b.start[c]--
		if last := b.start[c]; last != gap {
			b.put(b.order[last], gap)
			gap = last
		}
	}
	b.order = b.order[:len(b.order)-1]
	s.position = absent
}
