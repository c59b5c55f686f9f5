import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** What turns strings from the user's program into markup, links or code. */
const UNSAFE_NAMES = ['DOMParser', 'eval', 'Function'];
const UNSAFE_PROPERTIES = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'srcdoc',
  'createContextualFragment'
];
const TEXT_NODES = 'Text from a program goes into text nodes only.';
const UNSAFE_SYNTAX = [
  {
    selector:
      "CallExpression[callee.property.name='setAttribute'][arguments.0.value=/^(on|(xlink:)?href|src)/]",
    message: 'No link and no handler comes from data.'
  },
  {
    selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]',
    message: TEXT_NODES
  },
  {
    selector:
      'JSXAttribute[name.name=/^(href|src)$/][value.type="JSXExpressionContainer"]',
    message: 'No link comes from data.'
  },
  {
    selector:
      'AssignmentExpression[left.property.name=/^(href|src|action|formAction)$/]',
    message: 'No link comes from data.'
  }
];

/** Tools find what is to be translated by where it is written. */
const UNFOUND_SYNTAX = [
  {
    selector:
      "CallExpression[callee.object.name='trans'][arguments.0.type!='Literal']",
    message: 'Write the text itself into trans.__ or trans._n.'
  }
];

/** Words that a person reads, and that `trans.__` therefore has to say. */
const WORDS = '/[A-Za-z]{2,}/';
const SAID =
  '/^(alt|aria-label|doing|label|otherwise|placeholder|summary|title|what|words)$/';
const UNTRANSLATED_SYNTAX = [
  ':not(JSXElement[openingElement.name.name=/^(code|kbd|pre)$/]) > JSXText[value=WORDS]',
  'JSXAttribute[name.name=SAID] > Literal[value=WORDS]',
  'JSXAttribute[name.name=SAID] > JSXExpressionContainer > Literal[value=WORDS]',
  'JSXAttribute[name.name=SAID] > JSXExpressionContainer > ConditionalExpression > Literal[value=WORDS]',
  'JSXAttribute[name.name=SAID] > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=WORDS]'
].map(selector => ({
  selector: selector.replace('SAID', SAID).replace('WORDS', WORDS),
  message: 'Say it by trans.__, in the language of the user.'
}));

export default defineConfig(
  {
    ignores: [
      '.venv/',
      'build/',
      'dist/',
      'lib/',
      'jax_trace_viz/',
      'src/protocol/types.ts',
      '**/node_modules/',
      '**/test-results/',
      '**/playwright-report/'
    ]
  },
  eslint.configs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked
    ],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname
      }
    },
    rules: {
      ...reactHooks.configs.recommended.rules,
      curly: 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true }],
      'no-console': ['error', { allow: ['warn', 'error'] }],
      'no-restricted-globals': ['error', ...UNSAFE_NAMES],
      'no-restricted-properties': [
        'error',
        ...UNSAFE_PROPERTIES.map(property => ({
          property,
          message: TEXT_NODES
        })),
        ...['write', 'writeln'].map(property => ({
          object: 'document',
          property,
          message: TEXT_NODES
        }))
      ],
      'no-restricted-syntax': ['error', ...UNSAFE_SYNTAX, ...UNFOUND_SYNTAX],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'typeLike', format: ['PascalCase'] },
        {
          selector: 'memberLike',
          modifiers: ['private'],
          format: ['camelCase'],
          leadingUnderscore: 'allow'
        }
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true }
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true }
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true }
      ]
    }
  },
  {
    files: ['src/views/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...UNSAFE_SYNTAX,
        ...UNFOUND_SYNTAX,
        ...UNTRANSLATED_SYNTAX
      ]
    }
  },
  {
    // Lumino's signals take a method and its object.
    files: ['src/hosts/lab/**'],
    rules: { '@typescript-eslint/unbound-method': 'off' }
  },
  {
    files: ['src/**/*.test.{ts,tsx}', 'src/**/testing/**'],
    rules: { 'max-lines-per-function': 'off' }
  },
  {
    files: ['ui-tests/**/*.ts'],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic]
  },
  {
    files: ['**/*.cjs', '**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        module: 'readonly',
        process: 'readonly',
        require: 'readonly',
        URL: 'readonly',
        console: 'readonly'
      }
    }
  },
  prettier
);
