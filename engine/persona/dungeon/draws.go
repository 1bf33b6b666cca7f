package dungeon

// draws is SplitMix64, the generator's source (PER-GEN-01): the same seed gives
// the same dungeon for ever.
type draws struct{ state uint64 }

func (d *draws) next() uint64 {
	d.state += 0x9E3779B97F4A7C15
	z := d.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// u is a number from 0 to below n. Every u is one draw, u(1) too.
func (d *draws) u(n int) int { return int(d.next() % uint64(n)) }

// shuffle puts a list into a random order.
func shuffle[E any](d *draws, list []E) {
	for i := len(list) - 1; i >= 1; i-- {
		j := d.u(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}

// pick takes one of a list.
func pick[E any](d *draws, list []E) E { return list[d.u(len(list))] }
