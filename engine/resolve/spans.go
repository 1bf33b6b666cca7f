package resolve

import "slices"

// spans is a set of sequence numbers, as spans of them in order: what is taken back
// lies together.
type spans []span

type span struct{ first, last int64 }

func (s spans) has(n int64) bool {
	i, found := s.find(n)
	return found && s[i].first <= n
}

// find is the span that has n, or the first after it; false if there is none.
func (s spans) find(n int64) (int, bool) {
	i, _ := slices.BinarySearchFunc(s, n, func(sp span, n int64) int {
		if sp.last < n {
			return -1
		}
		return 1
	})
	return i, i < len(s)
}

// minus are the numbers up to last that are in the set and not in another, in order.
func (s spans) minus(other spans, last int64) []int64 {
	var out []int64
	for _, sp := range s {
		for n := sp.first; n <= min(sp.last, last); n++ {
			if !other.has(n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// with is the set with n in it.
func (s spans) with(n int64) spans {
	i, _ := s.find(n)
	switch {
	case i < len(s) && s[i].first <= n:
		return s
	case i > 0 && s[i-1].last == n-1:
		s[i-1].last = n
		if i < len(s) && s[i].first == n+1 {
			s[i-1].last = s[i].last
			return slices.Delete(s, i, i+1)
		}
		return s
	case i < len(s) && s[i].first == n+1:
		s[i].first = n
		return s
	}
	return slices.Insert(s, i, span{n, n})
}

// without is the set without n.
func (s spans) without(n int64) spans {
	i, _ := s.find(n)
	if i == len(s) || s[i].first > n {
		return s
	}
	switch before, after := (span{s[i].first, n - 1}), (span{n + 1, s[i].last}); {
	case before.first > before.last && after.first > after.last:
		return slices.Delete(s, i, i+1)
	case before.first > before.last:
		s[i] = after
	case after.first > after.last:
		s[i] = before
	default:
		s[i] = before
		return slices.Insert(s, i+1, after)
	}
	return s
}
