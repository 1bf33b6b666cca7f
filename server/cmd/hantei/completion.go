package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// completionCmd prints a script that makes a shell complete hantei's commands.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: ${enum}."`
}

// Help is shown by hantei completion --help.
func (*completionCmd) Help() string {
	return `Prints a script that lets the shell complete commands, flags and their values with
the tab key. The program has to be on the PATH.

Examples:
  hantei completion bash > ~/.local/share/bash-completion/completions/hantei
  hantei completion zsh > "${fpath[1]}/_hantei"
  hantei completion fish > ~/.config/fish/completions/hantei.fish
  source <(hantei completion bash)               (for this shell alone; zsh too)`
}

//go:embed completion
var completionScripts embed.FS

// Run implements the command.
func (c *completionCmd) Run(s streams) error {
	script, err := completionScripts.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}

// completeCmd is what these scripts call: it knows the same command line as the
// program, so they cannot be out of date. It prints a line for each word that
// can stand in the last word's place, with a tab and a description after it.
type completeCmd struct {
	Words []string `arg:"" optional:""`
}

// Run implements the command.
func (c *completeCmd) Run(k *kong.Kong, s streams) error {
	for _, w := range complete(k.Model, c.Words) {
		fmt.Fprintf(s.out, "%s\t%s\n", w.text, w.about)
	}
	return nil
}

// word is a word that can be completed to.
type word struct{ text, about string }

// completer is a command that knows the words for its arguments.
type completer interface{ complete() []string }

// complete finds what can stand in the place of the last of the words after the
// program's name. Where it finds nothing, shells offer files.
func complete(app *kong.Application, words []string) []word {
	if len(words) == 0 {
		words = []string{""}
	}
	before, last := words[:len(words)-1], words[len(words)-1]
	node := app.Node
	var open *kong.Flag // waits for its value
	for _, w := range before {
		switch {
		case w == "=": // bash takes --log-level=info for three words
		case open != nil:
			open = nil
		case strings.HasPrefix(w, "-"):
			if open = findFlag(node, w); open != nil && open.IsBool() {
				open = nil
			}
		default:
			if child := findCommand(node, w); child != nil {
				node = child
			}
		}
	}
	name, _, assigned := strings.Cut(last, "=")
	switch {
	case open != nil:
		return starting(strings.TrimPrefix(last, "="), valuesOf(open.Value, ""))
	case strings.HasPrefix(last, "-") && assigned:
		if open = findFlag(node, name); open == nil {
			return nil
		}
		return starting(last, valuesOf(open.Value, name+"="))
	case strings.HasPrefix(last, "-"):
		return starting(last, flagsOf(node))
	case len(node.Children) == 0 && len(node.Positional) == 0:
		return starting(last, flagsOf(node))
	}
	return starting(last, arguments(node))
}

// findFlag finds the flag that a word names; nil if its value stands in it already.
func findFlag(node *kong.Node, w string) *kong.Flag {
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			if w == "--"+f.Name || f.Short != 0 && w == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

// findCommand finds a command below another.
func findCommand(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
}

// flagsOf lists the flags that a command takes.
func flagsOf(node *kong.Node) []word {
	var out []word
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			out = append(out, word{"--" + f.Name, f.Help})
		}
	}
	return out
}

// valuesOf lists the values of a flag or an argument that has a fixed set of them.
func valuesOf(v *kong.Value, prefix string) []word {
	if v.Enum == "" {
		return nil
	}
	return wordsOf(prefix, v.EnumSlice())
}

// wordsOf are words without descriptions.
func wordsOf(prefix string, all []string) []word {
	var out []word
	for _, w := range all {
		out = append(out, word{prefix + w, ""})
	}
	return out
}

// arguments lists the commands below a command, or the words for its arguments.
func arguments(node *kong.Node) []word {
	var out []word
	for _, child := range node.Children {
		if !child.Hidden {
			out = append(out, word{child.Name, child.Help})
		}
	}
	for _, p := range node.Positional {
		out = append(out, valuesOf(p, "")...)
	}
	if node.Target.IsValid() && node.Target.CanAddr() {
		if c, ok := node.Target.Addr().Interface().(completer); ok {
			out = append(out, wordsOf("", c.complete())...)
		}
	}
	return out
}

// starting keeps the words that begin with what is typed already.
func starting(prefix string, words []word) []word {
	var out []word
	for _, w := range words {
		if strings.HasPrefix(w.text, prefix) {
			out = append(out, w)
		}
	}
	return out
}
