package simulate

import "math/rand/v2"

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
	order []int32 // members, fewest sessions first
	// start[c] is the number of members with fewer than c sessions. It covers
	// one count more than any member has, so its last entry is len(order).
	start []int32
}

func (b *breadthFirst) eligible() int32 {
	if int(b.limit) < len(b.start) {
		return b.start[b.limit]
	}
	return int32(len(b.order))
}

// half returns how many hosts are considered and the group of equal hosts that
// the last of them belongs to.
func (b *breadthFirst) half(eligible int32) (considered, from, to int32) {
	considered = (eligible + 1) / 2
	count := b.hosts[b.order[considered-1]].sessions
	return considered, b.start[count], b.start[count+1]
}

func (b *breadthFirst) pick(random *rand.Rand) int32 {
	n := b.eligible()
	if n == 0 {
		return absent
	}
	considered, from, to := b.half(n)
	// One number for both draws, so that the choice between them needs no branch,
	// which would be guessed wrong every other time.
	group := uint64(to - from)
	draw := random.Uint64N(uint64(considered) * group)
	rank, member := int32(draw/group), from+int32(draw%group)
	if rank >= from {
		rank = member
	}
	return b.order[rank]
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
