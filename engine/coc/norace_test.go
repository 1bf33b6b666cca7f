//go:build !race

package coc_test

const gamesAtOnce = defaultGames
