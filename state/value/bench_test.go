package value

import (
	"strconv"
	"testing"
)

// keys are n different keys as templates make them.
func keys(n int) []Value {
	out := make([]Value, n)
	for i := range out {
		out[i] = Str("key-" + strconv.Itoa(i))
	}
	return out
}

func benchDict(b *testing.B, n int) {
	ks, d := keys(n), NewDict(n)
	for _, k := range ks {
		_ = d.Set(k, k)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, ok := d.Get(ks[i%n]); !ok {
			b.Fatal("lost a key")
		}
		i++
	}
}

func BenchmarkDictGet5(b *testing.B)      { benchDict(b, 5) }
func BenchmarkDictGet100(b *testing.B)    { benchDict(b, 100) }
func BenchmarkDictGet100000(b *testing.B) { benchDict(b, 100_000) }

func benchSet(b *testing.B, n int) {
	ks := keys(n)
	b.ReportAllocs()
	for b.Loop() {
		d := NewDict(n)
		for _, k := range ks {
			_ = d.Set(k, None)
		}
	}
}

func BenchmarkDictSet5(b *testing.B)      { benchSet(b, 5) }
func BenchmarkDictSet100(b *testing.B)    { benchSet(b, 100) }
func BenchmarkDictSet100000(b *testing.B) { benchSet(b, 100_000) }

func BenchmarkDictPopFirst10000(b *testing.B) {
	ks := keys(10_000)
	for b.Loop() {
		d := NewDict(len(ks))
		for _, k := range ks {
			_ = d.Set(k, None)
		}
		for _, k := range ks {
			d.Delete(k)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	var v Value = Int(1000)
	for b.Loop() {
		if _, err := Add(v, v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRepr(b *testing.B) {
	d := DictOf("name", Str("it's é"), "list", NewList(Int(1), Float(2.5), None, Bool(true)), "t", NewTuple(Str("a")))
	b.ReportAllocs()
	for b.Loop() {
		Repr(d)
	}
}

func BenchmarkPercent(b *testing.B) {
	arg := NewTuple(Str("a"), Int(5), Float(2.5))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FormatPercent("%s-%03d:%.2f", arg); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMethod(b *testing.B) {
	b.ReportAllocs()
	var s Value = Str("a,b,c")
	pos := []Value{Str(",")}
	for b.Loop() {
		if _, _, err := CallMethod(b.Context(), s, "split", pos, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDumpsJSON(b *testing.B) {
	l := NewList()
	for i := range 1000 {
		l.Items = append(l.Items, DictOf("name", Str("x"), "n", Int(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DumpsJSON(l, JSONOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDeepCopy(b *testing.B) {
	l := NewList()
	for i := range 1000 {
		l.Items = append(l.Items, DictOf("name", Str("x"), "n", NewList(Int(i))))
	}
	b.ReportAllocs()
	for b.Loop() {
		DeepCopy(l)
	}
}
