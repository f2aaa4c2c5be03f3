package requisite

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

func resolve(low []*state.Low, opts Options) (*Plan, *diag.List) {
	return &Plan{Low: low, Order: low, Groups: make([][]Group, len(low)), PrereqOf: make([][]int32, len(low))}, &diag.List{}
}
