// Few rules: what is wrong, not what is pretty. Names and types are the type checker's.
import js from "@eslint/js"

export default [
    { ignores: ["tapviz/*/bundles/", "docs/_build/", "node_modules/", ".venv/"] },
    js.configs.recommended,
    {
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            "no-undef": "off", // tsc knows every name, and every name of the browser
            "no-unused-vars": ["error", { args: "none" }], // a callback says what it is given
            "no-cond-assign": "off", // the recommended form takes parentheses for a sign of intent
            eqeqeq: ["error", "always", { null: "ignore" }], // == null is null or undefined
            "no-var": "error", // let and const have the scope that one sees
            "prefer-const": "error", // what is let does change
            complexity: ["error", 26], // glide of compat.js, which asks for each name that may be gone
            "max-lines": ["error", 600], // a file is read from its top to its end
        },
    },
]
