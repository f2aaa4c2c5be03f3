package ssh

import (
	"fmt"
	"sync"
)

// A box holds the answer to one question at a time.
type box struct {
	asking sync.Mutex // held by who asks
	answer chan toNode

	once sync.Once
	gone chan struct{}
	err  error // set before gone is closed
}

func newBox() *box { return &box{answer: make(chan toNode, 1), gone: make(chan struct{})} }

// close says that no answer will come any more.
func (b *box) close(err error) {
	b.once.Do(func() { b.err = fmt.Errorf("the connection to the operator has ended: %w", err); close(b.gone) })
}

// put puts an answer in; one that nobody asked for is dropped.
func (b *box) put(m toNode) {
	select {
	case b.answer <- m:
	default:
	}
}

// ask puts a question and waits for its answer.
func (b *box) ask(question func() error) (toNode, error) {
	b.asking.Lock()
	defer b.asking.Unlock()
	if err := question(); err != nil {
		return toNode{}, err
	}
	select {
	case m := <-b.answer:
		return m, nil
	case <-b.gone:
		return toNode{}, b.err
	}
}
