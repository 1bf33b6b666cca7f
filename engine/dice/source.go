package dice

// Throw is what came of throwing dice.
type Throw struct {
	Dice
	// Faces are the faces in the order thrown: Count of them, each 1 to Sides.
	// Whoever asked owns the slice.
	Faces []int32
	// Total is the sum of the faces.
	Total int32
}

// String gives the throw in scenario notation, to be given again: "3D6=11(4,4,3)".
func (t Throw) String() string { return Given(t).String() }

// Source throws dice. Label says what the throw is for and is the same at each
// run of the same rule; of is the character who throws, empty for the table. A
// failed throw uses nothing up. One goroutine uses a source at a time.
type Source interface {
	Throw(label, of string, d Dice) (Throw, error)
}

// Placed is a source that makes faces from where the dice stand, so that they can be
// checked later.
type Placed interface {
	Source
	// Place is where the next die stands.
	Place() Place
}

// Place is where a die stands.
type Place struct {
	// Stream is the seed.
	Stream Stream
	// Epoch is the number of the seed within the table.
	Epoch int32
	// Number is the die's within epoch and stream, from 0.
	Number int32
}
