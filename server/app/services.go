package app

import (
	"errors"
	"fmt"

	"google.golang.org/grpc"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// Services are the implementations of the API. All are needed.
type Services struct {
	Ruleset   hanteiv1.RulesetServiceServer
	Table     hanteiv1.TableServiceServer
	Seat      hanteiv1.SeatServiceServer
	Bridge    hanteiv1.BridgeServiceServer
	Character hanteiv1.CharacterServiceServer
	Play      hanteiv1.PlayServiceServer
}

// check reports what is missing.
func (s Services) check() error {
	var errs []error
	for _, x := range []struct {
		name string
		is   bool
	}{
		{"Ruleset", s.Ruleset != nil}, {"Table", s.Table != nil}, {"Seat", s.Seat != nil},
		{"Bridge", s.Bridge != nil},
		{"Character", s.Character != nil}, {"Play", s.Play != nil},
	} {
		if !x.is {
			errs = append(errs, fmt.Errorf("the %s service is missing", x.name))
		}
	}
	return errors.Join(errs...)
}

// register makes the services callable through r.
func (s Services) register(r grpc.ServiceRegistrar) {
	hanteiv1.RegisterRulesetServiceServer(r, s.Ruleset)
	hanteiv1.RegisterTableServiceServer(r, s.Table)
	hanteiv1.RegisterSeatServiceServer(r, s.Seat)
	hanteiv1.RegisterBridgeServiceServer(r, s.Bridge)
	hanteiv1.RegisterCharacterServiceServer(r, s.Character)
	hanteiv1.RegisterPlayServiceServer(r, s.Play)
}
