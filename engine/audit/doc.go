// Package audit checks what a table has stored, or what a seat has saved of it,
// after the fact: that nothing was altered, that the events lead to the state, that
// the rules make the same events again, and that the dice follow from their seeds.
//
// What these checks prove and what they do not stands in server/docs/verify.md.
package audit
