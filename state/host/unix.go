package host

import (
	"context"
	"net"
)

// UnixDialer connects to one socket of the machine, whatever address is asked for: for clients of protocols that are
// spoken over it.
func UnixDialer(h Reader, socket string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, _, _ string) (net.Conn, error) { return h.Dial(ctx, "unix", socket) }
}
