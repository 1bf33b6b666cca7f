package oracle

// Term is one addend of a loss: Count dice of Sides, or where Sides is 0 the number Count.
type Term struct{ Count, Sides int }

// Mind is what the sanity rules know of somebody.
type Mind struct {
	SAN, Mythos, Idea     int
	InHour, Struck        bool // COC-SAN-05: the hour has begun, it has brought the insanity
	HourStart, HourLost   int
	Temporary, Indefinite bool
	Permanent             bool
	Suppressed            bool   // COC-SAN-06, of an indefinite insanity
	Symptom               string // the row and table of 6.4, "short.3"
	Length, Until         int
	Unit                  string // "rounds", "hours", "months"
}

// SanityCheck is what one check brought (COC-SAN-01 to COC-SAN-05).
type SanityCheck struct {
	Roll      int
	Success   bool
	Mark      string
	Loss      int
	IdeaRoll  int // 0 without one
	Idea      Result
	Temporary bool
	Symptom   string // of the temporary one
	Asked     bool   // insanity_term
	Months    int    // of an indefinite insanity that began
}

// Lose throws a loss.
func Lose(d Dice, terms []Term) (loss int) {
	for _, t := range terms {
		if t.Sides == 0 {
			loss += t.Count
			continue
		}
		loss += d.sum(t.Count, t.Sides)
	}
	return loss
}

// CheckSanity rolls one person's sanity check of a loss success/failure. long is the
// keeper's answer to insanity_term; in a fight, which is in the given round, it is not
// asked (round 0: none).
func (o Options) CheckSanity(m *Mind, d Dice, success, failure []Term, long bool, round int) (c SanityCheck) {
	c.Roll = d(100)
	c.Success = c.Roll <= m.SAN
	switch { // COC-SAN-02
	case c.Roll >= o.Fumble:
		c.Mark = "fumble"
	case c.Roll <= o.Crit && c.Success:
		c.Mark = "critical"
	}
	terms := failure
	if c.Success {
		terms = success
	}
	before := m.SAN
	m.SAN = max(0, m.SAN-Lose(d, terms)) // COC-SAN-01
	c.Loss = before - m.SAN
	if c.Loss == 0 {
		return c
	}
	if !m.InHour {
		m.InHour, m.HourStart, m.HourLost, m.Struck = true, before, 0, false
	}
	m.HourLost += c.Loss
	if m.SAN == 0 { // COC-SAN-03
		m.ruin()
		return c
	}
	if c.Loss >= 5 && !m.Temporary && !m.Indefinite { // COC-SAN-04
		c.IdeaRoll = d(100)
		c.Idea = o.Check(Clamp(m.Idea), c.IdeaRoll)
		c.Temporary = c.Idea.Succeeded()
	}
	if c.Temporary {
		m.Temporary = true
		c.Asked = round == 0
		table := "short"
		if c.Asked && long {
			table = "long"
		}
		m.Symptom = table + "." + []string{"", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}[d(10)]
		c.Symptom = m.Symptom
		if table == "long" {
			m.Length, m.Unit, m.Until = d(10)*10, "hours", 0
		} else {
			m.Length, m.Unit, m.Until = d(10)+4, "rounds", 0
			if round > 0 {
				m.Until = round + m.Length
			}
		}
	}
	if m.HourLost*5 >= m.HourStart && !m.Struck && !m.Indefinite { // COC-SAN-05
		m.Struck, m.Indefinite, m.Temporary = true, true, false
		c.Months = d(6)
		m.Symptom, m.Length, m.Unit, m.Until = "", c.Months, "months", 0
	}
	return c
}

// Gain is the SAN after a gain or, if negative, a loss without a check (COC-SAN-03,
// COC-SAN-08).
func Gain(san, mythos, delta int) int {
	if delta < 0 {
		return max(0, san+delta)
	}
	return max(san, min(san+delta, 99-mythos))
}

// Insane tells whether somebody is insane for the rules of treatment (COC-SAN-06).
func (m *Mind) Insane() bool { return m.Temporary || m.Indefinite && !m.Suppressed }

// Calm is what a success of psychoanalysis, physical or not, does (COC-SAN-06, COC-SAN-07):
// the one insanity ends, the other is suppressed.
func (m *Mind) Calm() {
	if m.Indefinite {
		m.Suppressed = true
		return
	}
	m.End()
}

// End ends an insanity, by the keeper's word.
func (m *Mind) End() {
	m.Temporary, m.Indefinite, m.Suppressed = false, false, false
	m.Symptom, m.Length, m.Until, m.Unit = "", 0, 0, ""
}

// NewHour ends the game hour (COC-SAN-05).
func (m *Mind) NewHour() { m.InHour, m.HourStart, m.HourLost, m.Struck = false, 0, 0, false }

// Therapy is a month of therapy out of play (COC-SAN-06).
func (m *Mind) Therapy(d Dice, r Result) {
	switch {
	case r.Succeeded():
		m.SAN = Gain(m.SAN, m.Mythos, d(3))
	case r == Fumble:
		m.Take(-d(6))
	}
}

// Take is a gain, or a loss without a check (COC-SAN-03, COC-SAN-08).
func (m *Mind) Take(delta int) {
	m.SAN = Gain(m.SAN, m.Mythos, delta)
	if m.SAN == 0 {
		m.ruin()
	}
}

// ruin is the permanent insanity, which takes the place of any other (COC-SAN-03).
func (m *Mind) ruin() {
	m.End()
	m.Permanent = true
}

// PhysicalLoss is what physical psychoanalysis costs the patient (COC-SAN-07).
func (o Options) PhysicalLoss(hp, hpMax int) int {
	switch {
	case o.PhysicalPsychoMax:
		return hpMax / 2
	case hp <= 1:
		return 0
	}
	return hp / 2
}
