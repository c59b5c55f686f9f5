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
      'no-restricted-syntax': [
        'error',
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
      ],
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
