package coc

import (
	"github.com/hantei/hantei/engine/rule"
	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// What can happen, in the words of the specification. The enum has the meanings.
var (
	checkResolved     = rule.Name(cocv1.EventName_EVENT_NAME_CHECK_RESOLVED)
	combatDeclared    = rule.Name(cocv1.EventName_EVENT_NAME_COMBAT_DECLARED)
	initiativeSet     = rule.Name(cocv1.EventName_EVENT_NAME_INITIATIVE_SET)
	roundDeclared     = rule.Name(cocv1.EventName_EVENT_NAME_ROUND_DECLARED)
	stepChanged       = rule.Name(cocv1.EventName_EVENT_NAME_STEP_CHANGED)
	turnStarted       = rule.Name(cocv1.EventName_EVENT_NAME_TURN_STARTED)
	turnEnded         = rule.Name(cocv1.EventName_EVENT_NAME_TURN_ENDED)
	roundEnded        = rule.Name(cocv1.EventName_EVENT_NAME_ROUND_ENDED)
	combatEnded       = rule.Name(cocv1.EventName_EVENT_NAME_COMBAT_ENDED)
	moved             = rule.Name(cocv1.EventName_EVENT_NAME_MOVED)
	specialDecided    = rule.Name(cocv1.EventName_EVENT_NAME_SPECIAL_DECIDED)
	attackMissed      = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_MISSED)
	attackAvoided     = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_AVOIDED)
	attackParried     = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_PARRIED)
	attackHit         = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_HIT)
	attackFumbled     = rule.Name(cocv1.EventName_EVENT_NAME_ATTACK_FUMBLED)
	treatedAsCritical = rule.Name(cocv1.EventName_EVENT_NAME_TREATED_AS_CRITICAL)
	covered           = rule.Name(cocv1.EventName_EVENT_NAME_COVERED)
	defenceRolled     = rule.Name(cocv1.EventName_EVENT_NAME_DEFENCE_ROLLED)
	defenceLocked     = rule.Name(cocv1.EventName_EVENT_NAME_DEFENCE_LOCKED)
	dedicated         = rule.Name(cocv1.EventName_EVENT_NAME_DEDICATED)
	damageRolled      = rule.Name(cocv1.EventName_EVENT_NAME_DAMAGE_ROLLED)
	hpChanged         = rule.Name(cocv1.EventName_EVENT_NAME_HP_CHANGED)
	woundAdded        = rule.Name(cocv1.EventName_EVENT_NAME_WOUND_ADDED)
	woundTreated      = rule.Name(cocv1.EventName_EVENT_NAME_WOUND_TREATED)
	shockRolled       = rule.Name(cocv1.EventName_EVENT_NAME_SHOCK_ROLLED)
	fellUnconscious   = rule.Name(cocv1.EventName_EVENT_NAME_FELL_UNCONSCIOUS)
	woke              = rule.Name(cocv1.EventName_EVENT_NAME_WOKE)
	dying             = rule.Name(cocv1.EventName_EVENT_NAME_DYING)
	died              = rule.Name(cocv1.EventName_EVENT_NAME_DIED)
	weaponChanged     = rule.Name(cocv1.EventName_EVENT_NAME_WEAPON_CHANGED)
	conditionGained   = rule.Name(cocv1.EventName_EVENT_NAME_CONDITION_GAINED)
	conditionLost     = rule.Name(cocv1.EventName_EVENT_NAME_CONDITION_LOST)
	counterDealt      = rule.Name(cocv1.EventName_EVENT_NAME_COUNTER_DEALT)
	growthMarked      = rule.Name(cocv1.EventName_EVENT_NAME_GROWTH_MARKED)
	rightGained       = rule.Name(cocv1.EventName_EVENT_NAME_RIGHT_GAINED)
	rightNotGained    = rule.Name(cocv1.EventName_EVENT_NAME_RIGHT_NOT_GAINED)
	rightUsed         = rule.Name(cocv1.EventName_EVENT_NAME_RIGHT_USED)
	rpBonusGiven      = rule.Name(cocv1.EventName_EVENT_NAME_RP_BONUS_GIVEN)
	rpPointsChanged   = rule.Name(cocv1.EventName_EVENT_NAME_RP_POINTS_CHANGED)
	sheetReviewed     = rule.Name(cocv1.EventName_EVENT_NAME_SHEET_REVIEWED)
	weekPassed        = rule.Name(cocv1.EventName_EVENT_NAME_WEEK_PASSED)
	effectDecided     = rule.Name(cocv1.EventName_EVENT_NAME_EFFECT_DECIDED)

	characteristicsRolled = rule.Name(cocv1.EventName_EVENT_NAME_CHARACTERISTICS_ROLLED)
	rerolled              = rule.Name(cocv1.EventName_EVENT_NAME_REROLLED)
	swapped               = rule.Name(cocv1.EventName_EVENT_NAME_SWAPPED)
	valuesDerived         = rule.Name(cocv1.EventName_EVENT_NAME_VALUES_DERIVED)
	occupationSet         = rule.Name(cocv1.EventName_EVENT_NAME_OCCUPATION_SET)
	pointsAssigned        = rule.Name(cocv1.EventName_EVENT_NAME_POINTS_ASSIGNED)
	supplementsDeclared   = rule.Name(cocv1.EventName_EVENT_NAME_SUPPLEMENTS_DECLARED)
	extraRequested        = rule.Name(cocv1.EventName_EVENT_NAME_EXTRA_REQUESTED)
	extraDecided          = rule.Name(cocv1.EventName_EVENT_NAME_EXTRA_DECIDED)
	traitAdded            = rule.Name(cocv1.EventName_EVENT_NAME_TRAIT_ADDED)
	sheetSubmitted        = rule.Name(cocv1.EventName_EVENT_NAME_SHEET_SUBMITTED)
	scenarioStarted       = rule.Name(cocv1.EventName_EVENT_NAME_SCENARIO_STARTED)
	creationClosed        = rule.Name(cocv1.EventName_EVENT_NAME_CREATION_CLOSED)
	confiscated           = rule.Name(cocv1.EventName_EVENT_NAME_CONFISCATED)
	settingsStripped      = rule.Name(cocv1.EventName_EVENT_NAME_SETTINGS_STRIPPED)
	resistanceResolved    = rule.Name(cocv1.EventName_EVENT_NAME_RESISTANCE_RESOLVED)
	opposedResolved       = rule.Name(cocv1.EventName_EVENT_NAME_OPPOSED_RESOLVED)
	sanChanged            = rule.Name(cocv1.EventName_EVENT_NAME_SAN_CHANGED)
	insanityGained        = rule.Name(cocv1.EventName_EVENT_NAME_INSANITY_GAINED)
	insanityEnded         = rule.Name(cocv1.EventName_EVENT_NAME_INSANITY_ENDED)
	symptomNamed          = rule.Name(cocv1.EventName_EVENT_NAME_SYMPTOM_NAMED)
	hourPassed            = rule.Name(cocv1.EventName_EVENT_NAME_HOUR_PASSED)
	growthDeclared        = rule.Name(cocv1.EventName_EVENT_NAME_GROWTH_DECLARED)
	growthSkillChosen     = rule.Name(cocv1.EventName_EVENT_NAME_GROWTH_SKILL_CHOSEN)
	growthResolved        = rule.Name(cocv1.EventName_EVENT_NAME_GROWTH_RESOLVED)
	growthLapsed          = rule.Name(cocv1.EventName_EVENT_NAME_GROWTH_LAPSED)
	skillChanged          = rule.Name(cocv1.EventName_EVENT_NAME_SKILL_CHANGED)
	scenarioEnded         = rule.Name(cocv1.EventName_EVENT_NAME_SCENARIO_ENDED)
	gmOverride            = rule.Name(cocv1.EventName_EVENT_NAME_GM_OVERRIDE)
	checkFixed            = rule.Name(cocv1.EventName_EVENT_NAME_CHECK_FIXED)

	// ruleNoted is the core's; the keeper's additional rules are told with it.
	ruleNoted = rule.Name(tablev1.EventName_EVENT_NAME_RULE_NOTED)
)

// What events tell.
var (
	fSkill      = rule.Key(cocv1.FactKey_FACT_KEY_SKILL)
	fValue      = rule.Key(cocv1.FactKey_FACT_KEY_VALUE)
	fRoll       = rule.Key(cocv1.FactKey_FACT_KEY_ROLL)
	fResult     = rule.Key(cocv1.FactKey_FACT_KEY_RESULT)
	fSpecial    = rule.Key(cocv1.FactKey_FACT_KEY_SPECIAL)
	fWeapon     = rule.Key(cocv1.FactKey_FACT_KEY_WEAPON)
	fKind       = rule.Key(cocv1.FactKey_FACT_KEY_KIND)
	fDice       = rule.Key(cocv1.FactKey_FACT_KEY_DICE)
	fDB         = rule.Key(cocv1.FactKey_FACT_KEY_DB)
	fMultiplier = rule.Key(cocv1.FactKey_FACT_KEY_MULTIPLIER)
	fArmour     = rule.Key(cocv1.FactKey_FACT_KEY_ARMOUR)
	fFinal      = rule.Key(cocv1.FactKey_FACT_KEY_FINAL)
	fDelta      = rule.Key(cocv1.FactKey_FACT_KEY_DELTA)
	fWound      = rule.Key(cocv1.FactKey_FACT_KEY_WOUND)
	fAmount     = rule.Key(cocv1.FactKey_FACT_KEY_AMOUNT)
	fCause      = rule.Key(cocv1.FactKey_FACT_KEY_CAUSE)
	fDurability = rule.Key(cocv1.FactKey_FACT_KEY_DURABILITY)
	fState      = rule.Key(cocv1.FactKey_FACT_KEY_STATE)
	fCondition  = rule.Key(cocv1.FactKey_FACT_KEY_CONDITION)
	fUntil      = rule.Key(cocv1.FactKey_FACT_KEY_UNTIL)
	fRound      = rule.Key(cocv1.FactKey_FACT_KEY_ROUND)
	fStep       = rule.Key(cocv1.FactKey_FACT_KEY_STEP)
	fOrder      = rule.Key(cocv1.FactKey_FACT_KEY_ORDER)
	fNotes      = rule.Key(cocv1.FactKey_FACT_KEY_NOTES)
	fPath       = rule.Key(cocv1.FactKey_FACT_KEY_PATH)
	fSource     = rule.Key(cocv1.FactKey_FACT_KEY_SOURCE)
	fUses       = rule.Key(cocv1.FactKey_FACT_KEY_USES)
	fDecision   = rule.Key(cocv1.FactKey_FACT_KEY_DECISION)
	fPart       = rule.Key(cocv1.FactKey_FACT_KEY_PART)
	fHP         = rule.Key(cocv1.FactKey_FACT_KEY_HP)
	fExcess     = rule.Key(cocv1.FactKey_FACT_KEY_EXCESS)
	fPoints     = rule.Key(cocv1.FactKey_FACT_KEY_POINTS)

	fScope       = rule.Key(cocv1.FactKey_FACT_KEY_SCOPE)
	fLeft        = rule.Key(cocv1.FactKey_FACT_KEY_LEFT)
	fDamageBonus = rule.Key(cocv1.FactKey_FACT_KEY_DAMAGE_BONUS)
	fMinimumAge  = rule.Key(cocv1.FactKey_FACT_KEY_MINIMUM_AGE)
	fOccupation  = rule.Key(cocv1.FactKey_FACT_KEY_OCCUPATION)
	fSkills      = rule.Key(cocv1.FactKey_FACT_KEY_SKILLS)
	fPool        = rule.Key(cocv1.FactKey_FACT_KEY_POOL)
	fBooks       = rule.Key(cocv1.FactKey_FACT_KEY_BOOKS)
	fTrait       = rule.Key(cocv1.FactKey_FACT_KEY_TRAIT)
	fOverrides   = rule.Key(cocv1.FactKey_FACT_KEY_OVERRIDES)
	fLimits      = rule.Key(cocv1.FactKey_FACT_KEY_LIMITS)
	fWinner      = rule.Key(cocv1.FactKey_FACT_KEY_WINNER)
	fSAN         = rule.Key(cocv1.FactKey_FACT_KEY_SAN)
	fSymptom     = rule.Key(cocv1.FactKey_FACT_KEY_SYMPTOM)
	fLength      = rule.Key(cocv1.FactKey_FACT_KEY_LENGTH)
	fUnit        = rule.Key(cocv1.FactKey_FACT_KEY_UNIT)
	fSuppressed  = rule.Key(cocv1.FactKey_FACT_KEY_SUPPRESSED)
	fAction      = rule.Key(cocv1.FactKey_FACT_KEY_ACTION)
	fText        = rule.Key(tablev1.FactKey_FACT_KEY_TEXT)
)

// characteristicFacts tell characteristics, in their order.
var characteristicFacts = []rule.FactKey{
	rule.Key(cocv1.FactKey_FACT_KEY_STR),
	rule.Key(cocv1.FactKey_FACT_KEY_CON),
	rule.Key(cocv1.FactKey_FACT_KEY_POW),
	rule.Key(cocv1.FactKey_FACT_KEY_DEX),
	rule.Key(cocv1.FactKey_FACT_KEY_APP),
	rule.Key(cocv1.FactKey_FACT_KEY_SIZ),
	rule.Key(cocv1.FactKey_FACT_KEY_INT),
	rule.Key(cocv1.FactKey_FACT_KEY_EDU),
}

// Why the ruleset refuses.
const (
	notYourTurn     = cocv1.Reason_REASON_NOT_YOUR_TURN
	unconscious     = cocv1.Reason_REASON_UNCONSCIOUS
	onlyDodge       = cocv1.Reason_REASON_ONLY_DODGE
	isDedicated     = cocv1.Reason_REASON_DEDICATED
	alreadyAttacked = cocv1.Reason_REASON_ALREADY_ATTACKED
	alreadyMoved    = cocv1.Reason_REASON_ALREADY_MOVED
	weaponUnusable  = cocv1.Reason_REASON_WEAPON_UNUSABLE
	notReady        = cocv1.Reason_REASON_NOT_READY
	badTarget       = cocv1.Reason_REASON_BAD_TARGET
	outOfRange      = cocv1.Reason_REASON_OUT_OF_RANGE
	noRight         = cocv1.Reason_REASON_NO_RIGHT
	notASkill       = cocv1.Reason_REASON_NOT_A_SKILL
	unknownSkill    = cocv1.Reason_REASON_UNKNOWN_SKILL
	alreadyInCombat = cocv1.Reason_REASON_ALREADY_IN_COMBAT
	notApproved     = cocv1.Reason_REASON_NOT_APPROVED
	badPosition     = cocv1.Reason_REASON_BAD_POSITION
	tooFar          = cocv1.Reason_REASON_TOO_FAR
	isLocked        = cocv1.Reason_REASON_DEFENCE_LOCKED
	cannotParry     = cocv1.Reason_REASON_CANNOT_PARRY
	outOfReach      = cocv1.Reason_REASON_OUT_OF_REACH
	alreadyCovered  = cocv1.Reason_REASON_ALREADY_COVERED
	coverTooLate    = cocv1.Reason_REASON_COVER_TOO_LATE
	noWound         = cocv1.Reason_REASON_NO_WOUND
	woundIsTreated  = cocv1.Reason_REASON_WOUND_TREATED
	badBonus        = cocv1.Reason_REASON_BAD_BONUS
	badSkillKind    = cocv1.Reason_REASON_BAD_SKILL_KIND
	tooLate         = cocv1.Reason_REASON_TOO_LATE

	alreadySubmitted        = cocv1.Reason_REASON_ALREADY_SUBMITTED
	notAllowedHere          = cocv1.Reason_REASON_NOT_ALLOWED_HERE
	alreadyRolled           = cocv1.Reason_REASON_ALREADY_ROLLED
	notRolled               = cocv1.Reason_REASON_NOT_ROLLED
	noRerollsLeft           = cocv1.Reason_REASON_NO_REROLLS_LEFT
	swapNotAllowed          = cocv1.Reason_REASON_SWAP_NOT_ALLOWED
	tooManyOccupationSkills = cocv1.Reason_REASON_TOO_MANY_OCCUPATION_SKILLS
	forbiddenSkill          = cocv1.Reason_REASON_FORBIDDEN_SKILL
	supplementRequired      = cocv1.Reason_REASON_SUPPLEMENT_REQUIRED
	notOccupationSkill      = cocv1.Reason_REASON_NOT_OCCUPATION_SKILL
	skillCap                = cocv1.Reason_REASON_SKILL_CAP
	pointsExceeded          = cocv1.Reason_REASON_POINTS_EXCEEDED
	tooManyTraits           = cocv1.Reason_REASON_TOO_MANY_TRAITS
	deadlinePassed          = cocv1.Reason_REASON_DEADLINE_PASSED
	insaneRestricted        = cocv1.Reason_REASON_INSANE_RESTRICTED
	actorInsane             = cocv1.Reason_REASON_ACTOR_INSANE
	notInsane               = cocv1.Reason_REASON_NOT_INSANE
	notCombatSkill          = cocv1.Reason_REASON_NOT_COMBAT_SKILL
	scenarioNotEnded        = cocv1.Reason_REASON_SCENARIO_NOT_ENDED
)

// Statuses, as keys of the sheet.
const (
	stUnconscious    = "unconscious"
	stDying          = "dying"
	stDead           = "dead"
	stKnockedDown    = "knocked_down"
	stWeaponDropped  = "weapon_dropped"
	stRestriction    = "restriction"
	stLocked         = "defence_locked"
	stDedicatedDodge = "dedicated_dodge"
	stDedicatedParry = "dedicated_parry"
	stRelief         = "relief"
	stPlus10         = "plus10_right"
	stSymptom        = "symptom"
	stTempInsane     = "temp_insane"
	stIndefInsane    = "indef_insane"
	stPermInsane     = "perm_insane"
)

// Why somebody is unconscious.
const (
	causeLowHP = "low_hp"
	causeShock = "shock"
	causeFaint = "faint"
)

// Why somebody is restricted (COC-COND-01, COC-COND-02).
const (
	causeDown    = "down"
	causeDropped = "dropped"
)

// Steps of the combat sequence (COC-CMB-01).
const (
	stepDeclared      = "declared"
	stepDexCheck      = "dex_check"
	stepRoundDeclared = "round_declared"
	stepShooting      = "shooting"
	stepActions       = "actions"
	stepRoundEnd      = "round_end"
	stepStatusCheck   = "status_check"
)

// Keys of stats and resources.
const (
	kSTR, kCON, kPOW, kDEX, kAPP = "str", "con", "pow", "dex", "app"
	kSIZ, kINT, kEDU             = "siz", "int", "edu"
	kMov, kArmour                = "mov", "armour"
	kLuck, kIdea, kKnow          = "luck", "idea", "know"
	kHP, kMP, kSAN               = "hp", "mp", "san"
)

// Skills that rules name, and what is rolled in a resistance roll (COC-CHK-08).
const (
	kMythos         = "cthulhu_mythos"
	kOwnLanguage    = "own_language"
	kPsychoanalysis = "psychoanalysis"
	kResistance     = "resistance"
)
