package simulate

import "math/bits"

// bitmap is a set of small whole numbers. Level 0 has one bit a number; a bit of
// each further level says whether a word of 64 bits below it has any. The last
// level is one word, so the first member is found in as many steps as there are
// levels: four for 16 million numbers. The zero bitmap is empty.
type bitmap [][]uint64

const wordBits = 6 // 1<<wordBits bits a word

func (b bitmap) empty() bool { return len(b) == 0 || b[len(b)-1][0] == 0 }

// set adds i, growing the levels as far as it needs.
func (b *bitmap) set(i int) {
	if len(*b) == 0 || i>>wordBits >= len((*b)[0]) {
		b.grow(i)
	}
	for _, level := range *b {
		word := &level[i>>wordBits]
		before := *word
		*word |= 1 << (i & 63)
		if before != 0 {
			return
		}
		i >>= wordBits
	}
}

// clear takes i out; it is a member.
func (b bitmap) clear(i int) {
	for _, level := range b {
		word := &level[i>>wordBits]
		*word &^= 1 << (i & 63)
		if *word != 0 {
			return
		}
		i >>= wordBits
	}
}

// first returns the lowest member, or -1.
func (b bitmap) first() int {
	if b.empty() {
		return -1
	}
	i := 0
	for k := len(b) - 1; k >= 0; k-- {
		i = i<<wordBits | bits.TrailingZeros64(b[k][i])
	}
	return i
}

// before returns the highest member below i, or -1.
func (b bitmap) before(i int) int {
	if b.empty() {
		return -1
	}
	if i >= len(b[0])<<wordBits {
		return b.last(len(b), 0)
	}
	for k, level := range b {
		word := i >> wordBits
		if below := level[word] & (1<<(i&63) - 1); below != 0 {
			return b.last(k, word<<wordBits|(bits.Len64(below)-1))
		}
		i = word
	}
	return -1
}

// last returns the highest member under bit i of level k, which is set.
func (b bitmap) last(k, i int) int {
	for k--; k >= 0; k-- {
		i = i<<wordBits | (bits.Len64(b[k][i]) - 1)
	}
	return i
}

// grow makes room for i. Levels grow by doubling, so that adding numbers one by
// one stays cheap.
func (b *bitmap) grow(i int) {
	words := i>>wordBits + 1
	if len(*b) > 0 {
		words = max(words, 2*len((*b)[0]))
	}
	var old bitmap
	old, *b = *b, nil
	for k := 0; ; k++ {
		level := make([]uint64, words)
		if k < len(old) {
			copy(level, old[k])
		} else if k > 0 {
			for w, word := range (*b)[k-1] {
				if word != 0 {
					level[w>>wordBits] |= 1 << (w & 63)
				}
			}
		}
		*b = append(*b, level)
		if words == 1 {
			return
		}
		words = (words + 63) >> wordBits
	}
}
