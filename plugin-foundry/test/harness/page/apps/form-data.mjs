/** A form's values by name, with their types. */
export class FormDataExtended extends FormData {
  constructor(form, { submitter, disabled = false, readonly = true } = {}) {
    super(form, submitter?.form === form ? submitter : null);
    this.object = {};
    for (const element of form.elements) {
      const { name, type } = element;
      if (!name || (element.disabled && !disabled) || (element.readOnly && !readonly)) continue;
      if (["submit", "button", "reset"].includes(type)) {
        if (element === submitter) this.object[name] = element.value;
      } else if (type === "checkbox") {
        const boxes = [...form.querySelectorAll(`input[type=checkbox][name="${CSS.escape(name)}"]`)];
        const given = element.hasAttribute("value");
        this.object[name] = boxes.length > 1 ? boxes.map(b => (b.checked ? b.value : null)) : given && element.value !== "on" ? (element.checked ? element.value : null) : element.checked;
      } else if (type === "radio") {
        this.object[name] = form.elements[name].value || null;
      } else if (type === "number" || type === "range" || element.dataset.dtype === "Number") {
        this.object[name] = element.value === "" ? null : Number(element.value);
      } else if (type === "select-multiple") {
        this.object[name] = [...element.selectedOptions].map(o => o.value);
      } else {
        this.object[name] = element.dataset.dtype === "Boolean" ? element.value === "true" : element.value;
      }
    }
  }
}
