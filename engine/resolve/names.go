package resolve

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// The core's own events and facts.
var (
	nameTableCreated      = rule.Name(tablev1.EventName_EVENT_NAME_TABLE_CREATED)
	nameCharacterCreated  = rule.Name(tablev1.EventName_EVENT_NAME_CHARACTER_CREATED)
	nameCharacterUpdated  = rule.Name(tablev1.EventName_EVENT_NAME_CHARACTER_UPDATED)
	nameCharacterRemoved  = rule.Name(tablev1.EventName_EVENT_NAME_CHARACTER_REMOVED)
	namePromptOpened      = rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_OPENED)
	namePromptAnswered    = rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_ANSWERED)
	namePromptWithdrawn   = rule.Name(tablev1.EventName_EVENT_NAME_PROMPT_WITHDRAWN)
	nameDiceRolled        = rule.Name(tablev1.EventName_EVENT_NAME_DICE_ROLLED)
	nameOptionsChanged    = rule.Name(tablev1.EventName_EVENT_NAME_OPTIONS_CHANGED)
	nameRolled            = rule.Name(tablev1.EventName_EVENT_NAME_ROLLED)
	nameDiceShareGiven    = rule.Name(tablev1.EventName_EVENT_NAME_DICE_SHARE_GIVEN)
	nameDiceSeedsRevealed = rule.Name(tablev1.EventName_EVENT_NAME_DICE_SEEDS_REVEALED)
	nameDiceEpochBegun    = rule.Name(tablev1.EventName_EVENT_NAME_DICE_EPOCH_BEGUN)
	nameStepTaken         = rule.Name(tablev1.EventName_EVENT_NAME_STEP_TAKEN)
	nameUndone            = rule.Name(tablev1.EventName_EVENT_NAME_UNDONE)
	nameRestored          = rule.Name(tablev1.EventName_EVENT_NAME_RESTORED)
	nameSceneEnded        = rule.Name(tablev1.EventName_EVENT_NAME_SCENE_ENDED)

	factPrompt     = rule.Key(tablev1.FactKey_FACT_KEY_PROMPT)
	factChoice     = rule.Key(tablev1.FactKey_FACT_KEY_CHOICE)
	factPurpose    = rule.Key(tablev1.FactKey_FACT_KEY_PURPOSE)
	factTotal      = rule.Key(tablev1.FactKey_FACT_KEY_TOTAL)
	factText       = rule.Key(tablev1.FactKey_FACT_KEY_TEXT)
	factFormula    = rule.Key(tablev1.FactKey_FACT_KEY_FORMULA)
	factOption     = rule.Key(tablev1.FactKey_FACT_KEY_OPTION)
	factSetting    = rule.Key(tablev1.FactKey_FACT_KEY_SETTING)
	factName       = rule.Key(tablev1.FactKey_FACT_KEY_NAME)
	factBy         = rule.Key(tablev1.FactKey_FACT_KEY_BY)
	factEpoch      = rule.Key(tablev1.FactKey_FACT_KEY_EPOCH)
	factShare      = rule.Key(tablev1.FactKey_FACT_KEY_SHARE)
	factSeat       = rule.Key(tablev1.FactKey_FACT_KEY_SEAT)
	factFormerName = rule.Key(tablev1.FactKey_FACT_KEY_FORMER_NAME)
)
