package rule

import "fmt"

// BudgetError says that a command was more work than any rule makes. Nothing was changed.
type BudgetError struct {
	What  string
	Limit int
}

// Error says which budget was exceeded.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("rule: more than %d %s in one command", e.Limit, e.What)
}

// PanicError is a bug of the rules. Nothing was changed.
type PanicError struct {
	Value any
	Stack []byte
}

// Error says what the rules panicked with.
func (e *PanicError) Error() string { return fmt.Sprintf("rule: panic in the rules: %v", e.Value) }
