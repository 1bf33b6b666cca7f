// Package dice holds the notation of dice and the sources that throw them.
//
// Notation comes in three forms, each with a parser and a String that gives the
// canonical text back: dice to be thrown ([Dice], "3D6"), a damage formula of a
// pack ([Formula], "1D6+DB"), and dice that were thrown by somebody else
// ([Given], "3D6=11(4,4,3)"). A parser refuses with a [*ParseError] that names the
// column; no parser mends what it reads. Full width digits and letters belong to
// the edge that takes chat from people, not here, where packs, scenarios and the
// open API must have one spelling.
//
// A [Source] throws: [Live] derives every face from a secret seed, [Scripted]
// takes them from a list. Both give the same faces for the same inputs, for ever:
// logs and published seeds are verified against them.
package dice
