/** The sidebar: tabs by name, those of packages too. */
import { Hooks } from "../hooks.mjs";
import { parse } from "../apps/markup.mjs";

/** A tab that Foundry itself brings. */
export class SidebarTab {
  static tabName = "";
  element = null;
  rendered = false;
  active = false;

  get id() {
    return this.constructor.tabName;
  }

  get tabName() {
    return this.constructor.tabName;
  }

  get options() {
    return { id: this.id };
  }

  build() {}

  async render(_options) {
    if (!this.element) {
      this.element = parse(`<section class="tab sidebar-tab ${this.id}-sidebar" id="${this.id}" data-tab="${this.id}" data-group="primary"></section>`);
      document.querySelector("#sidebar-content").append(this.element);
      this.build(this.element);
    }
    this.draw?.();
    this.rendered = true;
    Hooks.callAll(`render${this.constructor.name}`, this, this.element, {}, {});
    return this;
  }

  activate() {
    ui.sidebar.changeTab(this.id, "primary");
  }
}

export class Sidebar {
  static TABS = {
    chat: { tooltip: "DOCUMENT.ChatMessages", icon: "fa-solid fa-comments" },
    combat: { tooltip: "DOCUMENT.Combats", icon: "fa-solid fa-swords" },
    settings: { tooltip: "SIDEBAR.TabSettings", icon: "fa-solid fa-gears" },
  };

  tabGroups = { primary: "chat" };
  expanded = true;
  rendered = false;

  get element() {
    return document.getElementById("sidebar");
  }

  /** Draws the tabs that stand in TABS and CONFIG.ui, in this order. */
  async render() {
    this.element.replaceChildren(parse('<nav id="sidebar-tabs" class="tabs"><menu class="flexcol"></menu></nav>'), parse('<div id="sidebar-content" class="flexcol"></div>'));
    const menu = this.element.querySelector("menu");
    for (const [name, { tooltip, icon, gmOnly }] of Object.entries(CONFIG.ui.sidebar.TABS)) {
      if (gmOnly && !game.user.isGM) continue;
      const button = parse(`<li><button type="button" role="tab" data-action="tab" data-tab="${name}" data-group="primary" class="${icon}"></button></li>`);
      button.firstElementChild.ariaLabel = game.i18n.localize(tooltip ?? name);
      button.firstElementChild.textContent = name.slice(0, 2);
      button.firstElementChild.addEventListener("click", () => this.changeTab(name, "primary"));
      menu.append(button);
      const tab = ui[name];
      if (!tab) throw new Error(`the sidebar's tab "${name}" is missing in CONFIG.ui`);
      await tab.render({ force: true });
      if (!tab.element.isConnected || !this.element.contains(tab.element)) this.element.querySelector("#sidebar-content").append(tab.element);
    }
    this.rendered = true;
    this.changeTab("chat", "primary");
    Hooks.callAll("renderSidebar", this, this.element, {}, {});
  }

  changeTab(tab, group) {
    this.tabGroups[group] = tab;
    for (const name of Object.keys(CONFIG.ui.sidebar.TABS)) {
      if (!ui[name]?.element) continue;
      ui[name].active = name === tab;
      ui[name].element.classList.toggle("active", name === tab);
      this.element.querySelector(`button[data-tab="${name}"]`)?.setAttribute("aria-pressed", String(name === tab));
    }
    Hooks.callAll("changeSidebarTab", ui[tab]);
  }

  expand() {
    this.expanded = true;
    Hooks.callAll("collapseSidebar", this, false);
  }

  collapse() {
    this.expanded = false;
    Hooks.callAll("collapseSidebar", this, true);
  }

  toggleExpanded(expanded = !this.expanded) {
    if (expanded) this.expand();
    else this.collapse();
  }
}
