package foreign

// Outcome is what became of something of a sheet; the numbers are those of the
// contract.
type Outcome int

const (
	// Taken is understood, and on the sheet.
	Taken Outcome = iota + 1
	// ByRules is understood; the rules have their own value, which counts.
	ByRules
	// NotUnderstood is a label that the ruleset does not know.
	NotUnderstood
	// NotANumber is understood, and has no number: the rules' value counts.
	NotANumber
	// Clamped is understood, and was more or less than can be.
	Clamped
	// Doubled is understood, and stands a second time with another value: the first
	// counts.
	Doubled
	// LeftOut is what a sheet has no place for.
	LeftOut
	// Absent is what the rules need and the source has not: the rules' value counts.
	Absent
	// Noted is what no rule reads: it is kept in its own words, where the key says.
	Noted
)

var outcomes = [...]string{
	Taken: "taken", ByRules: "by_rules", NotUnderstood: "not_understood", NotANumber: "not_a_number",
	Clamped: "clamped", Doubled: "doubled", LeftOut: "left_out", Absent: "absent", Noted: "noted",
}

// String is the outcome in a word, under which the catalogue has the sentence.
func (o Outcome) String() string { return outcomes[o] }

// Line reports what became of one thing of a sheet.
type Line struct {
	// Label as the source has it; empty for what is absent.
	Label string
	// Written is what stands beside it.
	Written string
	// Outcome is what became of it.
	Outcome Outcome
	// Key is the ruleset's name of it; empty if it was not understood.
	Key string
	// Speciality is what of it it is, in the source's words; empty if it says nothing.
	Speciality string
	// Value that it has on the sheet now; empty where there is none to tell.
	Value string
}
