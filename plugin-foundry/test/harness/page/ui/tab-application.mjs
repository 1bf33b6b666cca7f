import { ApplicationV2 } from "../apps/application.mjs";

/** foundry.applications.sidebar.AbstractSidebarTab: a tab of a package, drawn as an application without frame. */
export class TabApplication extends ApplicationV2 {
  static tabName = "";
  static DEFAULT_OPTIONS = { id: "{id}", tag: "section", classes: ["tab", "sidebar-tab"], window: { frame: false, positioned: false } };
  active = false;

  _initializeApplicationOptions(options) {
    const all = super._initializeApplicationOptions(options);
    if (all.id === "{id}") all.id = this.constructor.tabName;
    return all;
  }

  get tabName() {
    return this.constructor.tabName;
  }

  get _parent() {
    return document.querySelector("#sidebar-content");
  }

  get isPopout() {
    return false;
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    Object.assign(this.element.dataset, { tab: this.tabName, group: "primary" });
  }

  _onActivate() {}
  _onDeactivate() {}

  activate() {
    ui.sidebar.changeTab(this.tabName, "primary");
  }
}
