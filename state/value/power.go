package value

import "math"

// Go's math.Pow is off in the last digits where C's, and so Python's, is not: 1.1 ** 10. So powers are worked out with
// twice the digits, as the sum of two floats, and rounded once.

// A double is the sum of two floats, the second smaller than half the last digit of the first.
type double struct{ hi, lo float64 }

func twoSum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

func (x double) add(y double) double {
	s := twoSum(x.hi, y.hi)
	return twoSum(s.hi, s.lo+x.lo+y.lo)
}

func (x double) mul(y double) double {
	p := x.hi * y.hi
	return twoSum(p, math.FMA(x.hi, y.hi, -p)+x.hi*y.lo+x.lo*y.hi)
}

func (x double) scale(exp int) double { return double{math.Ldexp(x.hi, exp), math.Ldexp(x.lo, exp)} }

// over is x divided by n.
func (x double) over(n float64) double {
	q := x.hi / n
	return twoSum(q, (math.FMA(-q, n, x.hi)+x.lo)/n)
}

// ln2 is the natural logarithm of 2.
func ln2() double { return double{math.Ln2, 2.3190468138462996e-17} }

// expm1 is e**x - 1 for |x| up to 0.35: the series for x/512, squared nine times.
func (x double) expm1() double {
	x = x.scale(-9)
	sum := double{}
	for n := 9.0; n >= 1; n-- {
		sum = x.over(n).mul(double{1, 0}.add(sum))
	}
	for range 9 {
		sum = sum.scale(1).add(sum.mul(sum)) // (1+s)**2 - 1
	}
	return sum
}

// log is the natural logarithm of m, which lies between 0.7 and 1.42: Newton's step from the float's logarithm.
func log(m float64) double {
	y := double{math.Log(m), 0}
	e := double{-y.hi, 0}.expm1()                           // e**-y - 1
	return y.add(double{m, 0}.mul(e).add(double{m - 1, 0})) // y + m * e**-y - 1
}

// power is f ** g, rounded as C's pow is. What is no plain case is math.Pow's.
func power(f, g float64) float64 {
	rough := math.Pow(f, g)
	size := math.Abs(rough)
	if f == 1 || g == 1 || g == 0 || size != size || size > 1e300 || size < 1e-290 || math.Abs(f) < 1e-300 {
		return rough
	}
	m, exp := math.Frexp(math.Abs(f))
	if m < math.Sqrt2/2 {
		m, exp = 2*m, exp-1
	}
	x := ln2().mul(double{float64(exp), 0}).add(log(m)).mul(double{g, 0})
	n := math.Round(x.hi / math.Ln2)
	r := x.add(ln2().mul(double{-n, 0}))
	out := r.expm1().add(double{1, 0})
	return math.Copysign(math.Ldexp(out.hi, int(n)), rough)
}
