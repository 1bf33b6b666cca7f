package storetest

import (
	"fmt"
	"sync"
	"testing"
)

func testSecrets(t *testing.T, open Open) {
	s := fresh(t, open)
	for _, name := range []string{"cursors", "dice"} {
		want := []byte("secret for " + name)
		got, err := s.Secret(t.Context(), name, func() []byte { return want })
		check(t, err)
		equal(t, got, want)
		got, err = s.Secret(t.Context(), name, func() []byte {
			t.Error("a secret was generated though there is one")
			return nil
		})
		check(t, err)
		equal(t, got, want)
	}
}

func testSetSecret(t *testing.T, open Open) {
	s := fresh(t, open)
	for _, want := range []string{"first", "second"} {
		check(t, s.SetSecret(t.Context(), "admin", []byte(want)))
		got, err := s.Secret(t.Context(), "admin", func() []byte { return []byte("made") })
		check(t, err)
		equal(t, string(got), want)
	}
	other, err := s.Secret(t.Context(), "other", func() []byte { return []byte("made") })
	check(t, err)
	equal(t, string(other), "made")
}

func testSecretUnderRace(t *testing.T, open Open) {
	s := fresh(t, open)
	got := make([]string, 16)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			secret, err := s.Secret(t.Context(), "cursors", func() []byte { return fmt.Append(nil, "secret ", i) })
			if err != nil {
				t.Error(err)
			}
			got[i] = string(secret)
		})
	}
	all.Wait()
	for _, secret := range got {
		equal(t, secret, got[0])
	}
}
