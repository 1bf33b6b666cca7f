// What a module must never do: put the server's text into the page as markup, or
// speak of the one window of the page where an application may be popped out.
export default [
  {
    files: ["scripts/**/*.mjs", "test/**/*.mjs"],
    languageOptions: { ecmaVersion: "latest", sourceType: "module" },
    rules: {
      "no-undef": "off", // tsc knows better
      "no-unused-vars": ["error", { args: "after-used" }],
      "prefer-const": "error",
      "no-var": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-restricted-properties": ["error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map(property => ({ property, message: "The server's text is text: use textContent or a template." })),
      ],
      "max-lines": ["error", { max: 300 }],
    },
  },
  {
    files: ["scripts/**/*.mjs"],
    rules: {
      "no-console": ["error", { allow: ["warn", "error", "debug"] }],
      "no-restricted-globals": ["error", { name: "document", message: "An application may be in another window: use its element's ownerDocument." }],
    },
  },
  {
    files: ["test/**/*.mjs"],
    rules: {
      "max-lines": "off",
      // The stand-in's methods name what Foundry gives them, used or not.
      "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
];
