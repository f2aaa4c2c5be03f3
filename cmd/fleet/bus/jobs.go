package bus

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// JobType is what a signed job says that it is.
const JobType = "application/vnd.gostate.job.v1+json"

// A Job is what an operator wants done now by the machines that it names. It runs on the release that a machine has:
// it brings no states of its own.
type Job struct {
	Format   int       `json:"format"`
	ID       string    `json:"id"`
	Nodes    []string  `json:"nodes"`
	Words    []string  `json:"words"` // of gostate: highstate, sls NAME..., single FUN KEY=VALUE..., each with --test
	Created  time.Time `json:"created"`
	NotAfter time.Time `json:"not_after"`
	Comment  string    `json:"comment,omitempty"`
}

// The longest time that a job may wait for machines, and the most that one may have: a message of NATS is bounded.
const (
	MaxJobTime = 30 * day
	maxJob     = 900 << 10
)

// Check says what is wrong with a job, before it is signed and before it is run.
func (j *Job) Check() error {
	if j.Format != 1 || !release.GoodName(j.ID) {
		return errors.New("it is no job that this program knows")
	}
	if j.NotAfter.Sub(j.Created) > MaxJobTime {
		return fmt.Errorf("it is good for more than %s", MaxJobTime)
	}
	return checkWords(j.Words)
}

// checkWords lets through what brings a machine somewhere by its states, and no options but --test: whose tree, pillar
// and machine it is, is not a job's to say.
func checkWords(words []string) error {
	hint := "highstate, sls NAME... and single FUN KEY=VALUE... are run by machines, each with --test"
	if len(words) == 0 {
		return diag.Errorf(diag.Pos{}, "there is no command").WithHint("%s", hint)
	}
	arguments := 0
	for _, w := range words[1:] {
		switch {
		case w == "--test":
		case strings.HasPrefix(w, "-"):
			return diag.Errorf(diag.Pos{}, "a job takes no option %s", w).WithHint("%s", hint)
		default:
			arguments++
		}
	}
	switch words[0] {
	case "highstate":
		if arguments == 0 {
			return nil
		}
	case "sls", "single":
		if arguments > 0 {
			return nil
		}
	default:
		return diag.Errorf(diag.Pos{}, "%q is no command of a job", words[0]).WithHint("%s", hint)
	}
	return diag.Errorf(diag.Pos{}, "%q is no command of a job", strings.Join(words, " ")).WithHint("%s", hint)
}

// SignJob is a job signed by an operator's keys.
func SignJob(j *Job, keys ...ed25519.PrivateKey) ([]byte, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	signed, err := release.SignDocument(JobType, text, keys...)
	if err == nil && len(signed) > maxJob {
		err = diag.Errorf(diag.Pos{}, "a job for %d machines is too long for one message", len(j.Nodes)).
			WithHint("send it to a part of them, then to the others")
	}
	return signed, err
}

// OpenJob is the job that one of the keys has signed.
func OpenJob(signed []byte, keys []release.PublicKey) (*Job, error) {
	text, err := release.OpenDocument(JobType, signed, keys)
	if err != nil {
		return nil, err
	}
	j := &Job{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // what this program does not know may be a condition
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("it is no job: %w", err)
	}
	return j, j.Check()
}

// PutJob puts a signed job there, and wakes its machines.
func (b *Bus) PutJob(ctx context.Context, signed []byte, nodes []string) error {
	if _, err := b.JS.Publish(ctx, "job", signed); err != nil {
		return fmt.Errorf("put the job: %w", err)
	}
	for _, id := range nodes {
		if err := b.Conn.Publish(WakeNode(id), []byte("{}")); err != nil {
			return err
		}
	}
	return b.Conn.FlushTimeout(answer)
}

// NextJob is the first job from the sequence on, and its own sequence; release.ErrNone where there is none.
func (b *Bus) NextJob(ctx context.Context, from uint64) ([]byte, uint64, error) {
	return b.job(ctx, query{Sequence: max(1, from), Next: "job"})
}

// LastJob is the sequence of the newest job; 0 where there is none.
func (b *Bus) LastJob(ctx context.Context) (uint64, error) {
	_, n, err := b.job(ctx, query{Last: "job"})
	if none(err) {
		return 0, nil
	}
	return n, err
}

func (b *Bus) job(ctx context.Context, q query) ([]byte, uint64, error) {
	m, err := b.find(ctx, Jobs, q)
	if err != nil {
		return nil, 0, err
	}
	n, err := strconv.ParseUint(m.Header.Get("Nats-Sequence"), 10, 64)
	return m.Data, n, err
}
