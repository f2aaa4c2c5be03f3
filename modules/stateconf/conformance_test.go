package stateconf

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestConformance(t *testing.T) {
	modtest.Suite{
		Family:     Family(),
		Situations: modtest.Situations{"any": modtest.Memory(nil, nil)},
		Deeds: []modtest.Deed{
			modtest.State("stateconf.set", "web::params", "port", 80), modtest.State("stateconf.context", "web::params"),
		},
	}.Run(t)
}
