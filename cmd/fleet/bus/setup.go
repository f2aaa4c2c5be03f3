package bus

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const day = 24 * time.Hour

// Setup makes the streams and buckets, or brings those that are there to what they should be. Replicas are 1 for one
// server, 3 for a cluster.
func (b *Bus) Setup(ctx context.Context, replicas int) error {
	for _, c := range streams() {
		c.Replicas, c.Storage = replicas, jetstream.FileStorage
		if _, err := b.JS.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("make the stream %s: %w", c.Name, err)
		}
	}
	return nil
}

// streams are those of a fleet. Buckets are streams with a name and options that NATS's clients know.
func streams() []jetstream.StreamConfig {
	return []jetstream.StreamConfig{
		{Name: Reports, Subjects: []string{"report.*"}, Duplicates: day, MaxAge: 30 * day, MaxMsgsPerSubject: 50,
			AllowDirect: true},
		{Name: Blobs, Subjects: []string{"blob.*.*"}, MaxMsgsPerSubject: 1, AllowDirect: true},
		{Name: Jobs, Subjects: []string{"job"}, MaxAge: 30 * day, AllowDirect: true},
		{Name: Enrol, Subjects: []string{"enrol.*.*"}, MaxAge: 7 * day, MaxMsgsPerSubject: 1, MaxMsgs: 100000,
			MaxMsgSize: 256 << 10, AllowDirect: true},
		{Name: Welcome, Subjects: []string{"welcome.*.*"}, MaxAge: 7 * day, MaxMsgsPerSubject: 1, AllowDirect: true},
		bucket(Releases, 5), bucket(Mine, 1), bucket(Cursors, 5),
	}
}

func bucket(name string, history int64) jetstream.StreamConfig {
	return jetstream.StreamConfig{Name: "KV_" + name, Subjects: []string{"$KV." + name + ".>"}, AllowDirect: true,
		MaxMsgsPerSubject: history, Discard: jetstream.DiscardNew, AllowRollup: true, DenyDelete: true, AllowMsgTTL: true,
		SubjectDeleteMarkerTTL: time.Minute}
}
