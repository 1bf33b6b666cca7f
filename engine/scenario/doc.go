// Package scenario loads and runs scenario files: YAML that plays a table with
// given dice and says what must come out. They are the worked examples of a
// specification, the regression tests of a ruleset, and what a table writes to
// hold on to its house rules.
//
// [Load] reads a file strictly: a key that is not known, a name that nobody
// declared, a die that cannot fall like that are refused, all at once, each with
// its line. [Run] plays it on a real resolver, command by command, as a server
// would, and looks at the end as each seat that the file names; [Print] writes down
// how it went, and [Options.Tell] hands each command to whoever tells the play to
// people. [Spec] reads which rules and examples a specification has, and [Cover] says
// which of them the files account for.
//
// The package knows no ruleset. Names are looked up in the ruleset's protos,
// which lie in the package hantei.<ruleset>.v1; the rules come from a [Maker].
package scenario
