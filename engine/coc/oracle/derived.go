package oracle

// Rolled are the eight characteristics.
type Rolled struct{ Str, Con, Pow, Dex, App, Siz, Int, Edu int }

// RollOne throws one characteristic by its own dice (COC-CRE-01).
func RollOne(d Dice, characteristic string) int {
	switch characteristic {
	case "siz", "int":
		return d.sum(2, 6) + 6
	case "edu":
		return d.sum(3, 6) + 3
	}
	return d.sum(3, 6)
}

// Derived are the values that follow from the characteristics (COC-CRE-02).
type Derived struct {
	HP, MP, SAN, Luck, Idea, Know, MaxSAN, MinimumAge int
	OwnLanguage, Dodge                                int // bases
}

// Derive works out the derived values of one who knows so much of the Mythos.
func (r Rolled) Derive(mythos int) Derived {
	return Derived{
		HP: (r.Con + r.Siz + 1) / 2, MP: r.Pow,
		SAN: min(r.Pow*5, max(1, 99-mythos)), Luck: r.Pow * 5, Idea: r.Int * 5, Know: min(r.Edu*5, 99),
		MaxSAN: max(1, 99-mythos), MinimumAge: r.Edu + 6,
		OwnLanguage: min(r.Edu*5, 99), Dodge: r.Dex * 2,
	}
}

// Bonus is a damage bonus: Count dice of Sides, subtracted where Negative (COC-CRE-12).
type Bonus struct {
	Negative     bool
	Count, Sides int
}

// DamageBonus is that of a sum of STR and SIZ (COC-CRE-12).
func DamageBonus(strSiz int) Bonus {
	switch {
	case strSiz <= 12:
		return Bonus{Negative: true, Count: 1, Sides: 6}
	case strSiz <= 16:
		return Bonus{Negative: true, Count: 1, Sides: 4}
	case strSiz <= 24:
		return Bonus{}
	case strSiz <= 32:
		return Bonus{Count: 1, Sides: 4}
	}
	count := 1
	for top := 40; strSiz > top; top += 16 {
		count++
	}
	return Bonus{Count: count, Sides: 6}
}

// throw throws the bonus; none is no die (COC-ATK-02).
func (b Bonus) throw(d Dice) int {
	total := d.sum(b.Count, b.Sides)
	if b.Negative {
		return -total
	}
	return total
}
