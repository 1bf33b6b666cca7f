// The JSON of the contract, under the names that the module uses.

export type { ActRequestJson, ActResponseJson, AnswerRequestJson, AnswerResponseJson, OutcomeJson, OverrideResponseJson, PreviewRequestJson, PreviewResponseJson, SlotAnswerJson, UndoResponseJson, WatchResponseJson } from "../../gen/ts/hantei/v1/play_service_pb";
export type { DetailInfoJson, GearInfoJson, GetRulesetResponseJson, MarkInfoJson, RulesetJson, StatInfoJson } from "../../gen/ts/hantei/v1/ruleset_service_pb";
export type { PairSeatResponseJson } from "../../gen/ts/hantei/v1/seat_service_pb";
export type { CreateCharacterRequestJson, UpdateCharacterRequestJson } from "../../gen/ts/hantei/v1/character_service_pb";
export type { CharacterViewJson, ChoiceViewJson, DungeonViewJson, EventViewJson, FeatureViewJson, InputViewJson, MarkViewJson, OfferViewJson, PromptViewJson, TableViewJson, WaitingViewJson } from "../../gen/ts/hantei/table/v1/view_pb";
export type { DungeonFeatureJson, DungeonMarkJson, DungeonSquareJson } from "../../gen/ts/hantei/table/v1/dungeon_pb";
export type { ChangeJson, CueJson } from "../../gen/ts/hantei/table/v1/event_pb";
export type { PolicyEndJson, PolicyJson, SeatJson, SheetInputJson } from "../../gen/ts/hantei/table/v1/seat_pb";
export type { ActionJson, AnswerJson, OperationJson } from "../../gen/ts/hantei/table/v1/ruleset_pb";
export type { WindowKindJson } from "../../gen/ts/hantei/table/v1/prompt_pb";
export type { ValueJson } from "../../gen/ts/hantei/table/v1/input_pb";
export type { EncounterJson } from "../../gen/ts/hantei/table/v1/state_pb";
export type { ModifierJson, SquareJson, StatJson, StatusJson, ResourceJson } from "../../gen/ts/hantei/type/v1/sheet_pb";
export type { DieJson, FactJson, TextJson, TraceLineJson } from "../../gen/ts/hantei/type/v1/fact_pb";
export type { ListEventsResponseJson } from "../../gen/ts/hantei/v1/play_service_pb";
export type { EventOddsJson, FractionJson, OddsViewJson, QuestionOddsJson, ResourceOddsJson, StatusOddsJson, StopOddsJson } from "../../gen/ts/hantei/table/v1/odds_pb";
