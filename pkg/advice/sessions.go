package advice

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"gatepool/pkg/hostpool"
	"gatepool/pkg/shell"
)

// seat is a session with its host.
type seat struct {
	host    *hostpool.Host
	session *hostpool.Session
}

func (s seat) String() string {
	if s.session.ID == "" {
		return s.host.Name
	}
	return s.host.Name + "/" + s.session.ID
}

// argument is how a command names the session: by host and id, or by its user
// where it has no id.
func (s seat) argument() string {
	if s.session.ID == "" {
		return s.session.User
	}
	return s.String()
}

// path names the session by its id, or by its user where it has none.
func (s seat) path() []string {
	return hostPath(s.host, "sessions", cmp.Or(s.session.ID, s.session.User))
}

// userWithTwoSessions counts what a user can come back to: Active and
// Disconnected sessions.
func userWithTwoSessions(p *hostpool.Pool, _ Options) []Finding {
	if !p.Balanced() {
		return nil
	}
	var found []Finding
	for _, seats := range repeated(p) {
		// Stable: what is equal stays in file order, as connect decides.
		slices.SortStableFunc(seats, func(a, b seat) int {
			if a.session.State != b.session.State {
				if a.session.State == hostpool.SessionActive {
					return -1
				}
				return 1
			}
			return b.session.Created.Compare(a.session.Created)
		})
		user := seats[0].session.User
		var on, ghosts []string
		for i, s := range seats {
			on = append(on, fmt.Sprintf("%s (%s)", s, s.session.State))
			if i > 0 && s.session.ID != "" {
				ghosts = append(ghosts, s.String())
			}
		}
		fix := shell.Command(append([]string{"remove-session", p.Name}, ghosts...)...)
		if len(ghosts) < len(seats)-1 {
			// A session without an id can't be named alone.
			fix = shell.Command("remove-session", p.Name, user) + ", which ends all of them"
		}
		found = append(found, Finding{
			Path:    seats[1].path(),
			Message: fmt.Sprintf("user %s has %s, on %s; connect goes to the first", user, count(len(seats), "session"), names(on)),
			Fix:     fix,
			item:    user, many: "users have more than one session",
		})
	}
	return found
}

// returnable yields the sessions that a user can come back to, in file order.
func returnable(p *hostpool.Pool) iter.Seq[seat] {
	return func(yield func(seat) bool) {
		for i := range p.SessionHosts {
			h := &p.SessionHosts[i]
			for j := range h.Sessions {
				s := &h.Sessions[j]
				if (s.State == hostpool.SessionActive || s.State == hostpool.SessionDisconnected) && !yield(seat{h, s}) {
					return
				}
			}
		}
	}
}

// repeated returns the sessions of each user who has more than one to come back
// to, users in the order of their first. Nearly all have just one, and a map of
// a hundred thousand users takes many times as long as all other rules: so
// hashes are compared first, and of those only the few that share a bit.
func repeated(p *hostpool.Pool) [][]seat {
	n := 0
	for i := range p.SessionHosts {
		n += len(p.SessionHosts[i].Sessions)
	}
	hashes := make([]uint64, 0, n)
	filter := newRepeatFilter(n)
	for s := range returnable(p) {
		hash := foldHash(s.session.User)
		hashes = append(hashes, hash)
		filter.add(hash)
	}
	var suspects []uint64
	for _, hash := range hashes {
		if filter.mayRepeat(hash) {
			suspects = append(suspects, hash)
		}
	}
	twice := duplicates(suspects)
	if len(twice) == 0 {
		return nil
	}
	index := map[string]int{} // of a user in groups
	var groups [][]seat
	i := -1
	for s := range returnable(p) {
		i++
		if _, found := slices.BinarySearch(twice, hashes[i]); !found {
			continue
		}
		user := strings.ToLower(s.session.User)
		at, known := index[user]
		if !known {
			at = len(groups)
			index[user] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return slices.DeleteFunc(groups, func(g []seat) bool { return len(g) < 2 })
}

// foldHash is the same for names that are the same in lower case. Some others
// share it: what differs from a letter in the bit of case only.
func foldHash(name string) uint64 {
	hash, ascii := hashOfLetters(name)
	if !ascii { // where case is more than one bit
		hash, _ = hashOfLetters(strings.ToLower(name))
	}
	return hash
}

// hashOfLetters hashes a name with the bit of case set in every byte, eight
// bytes together.
func hashOfLetters(name string) (hash uint64, ascii bool) {
	const ones = 0x0101010101010101
	hash, seen := uint64(len(name)), uint64(0)
	for len(name) > 0 {
		var b uint64
		if len(name) >= 8 {
			b = uint64(name[0]) | uint64(name[1])<<8 | uint64(name[2])<<16 | uint64(name[3])<<24 |
				uint64(name[4])<<32 | uint64(name[5])<<40 | uint64(name[6])<<48 | uint64(name[7])<<56
		} else {
			for i := range len(name) {
				b |= uint64(name[i]) << (8 * i)
			}
		}
		name = name[min(8, len(name)):]
		seen |= b
		hash = bits.RotateLeft64((hash^(b|0x20*ones))*0x9E3779B97F4A7C15, 29)
	}
	return hash, seen&(0x80*ones) == 0
}

// duplicates sorts hashes and returns those that stand more than once.
func duplicates(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	var twice []uint64
	for i := 1; i < len(hashes); i++ {
		if hashes[i] == hashes[i-1] {
			twice = append(twice, hashes[i])
		}
	}
	return twice
}

// repeatFilter remembers which hashes may have been added more than once. It
// forgets none that was; of the others, one in about sixteen shares its bit
// with another hash.
type repeatFilter struct{ once, again []uint64 }

func newRepeatFilter(hashes int) repeatFilter {
	words := hashes/4 + 1 // 16 bits a hash
	return repeatFilter{make([]uint64, words), make([]uint64, words)}
}

func (f repeatFilter) add(hash uint64) {
	word, bit := f.place(hash)
	f.again[word] |= f.once[word] & bit
	f.once[word] |= bit
}

func (f repeatFilter) mayRepeat(hash uint64) bool {
	word, bit := f.place(hash)
	return f.again[word]&bit != 0
}

func (f repeatFilter) place(hash uint64) (word, bit uint64) {
	return hash / 64 % uint64(len(f.once)), 1 << (hash % 64)
}
