// Package trial tries a ruleset: it plays whole random games of it, over and over,
// and sees whether what holds for every table holds. It is for tests alone; a
// ruleset's test says how its tables are set up (Setup), and what is special of it.
//
// Games plays each game on several resolvers at once, which must agree: in memory,
// loaded anew after every command, folded from the log, and played again from the
// commands and the journal. It is led by what was not used yet, until every action,
// prompt, status, option's value and row of the pack was.
//
// Leaks plays each game beside tables that differ from it only in what one viewer may
// not know, by the table "Who sees what" of RULES.md: the viewer must be sent the same
// bytes, until something happens that reveals.
//
// All is drawn from seeds. A game that fails says how to play it again.
package trial
