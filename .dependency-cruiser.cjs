/**
 * Which layer of src/ may import which: protocol <- store <- model <- views <- hosts.
 * Both hosts mount the same views, so nothing below a host knows one.
 */
const LAYERS = ['protocol', 'store', 'model', 'views', 'hosts'];

const layerRules = LAYERS.slice(0, -1).map((layer, index) => ({
  name: `${layer}-below-${LAYERS[index + 1]}`,
  comment: `${layer} may import only itself and the layers below it.`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: `^src/(${LAYERS.slice(index + 1).join('|')}|index)(/|[.])` }
}));

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'hosts-apart',
      comment: 'One host never imports the other.',
      severity: 'error',
      from: { path: '^src/hosts/([^/]+)/' },
      to: { path: '^src/hosts/', pathNot: '^src/hosts/$1/' }
    },
    {
      name: 'jupyterlab-in-its-host-only',
      comment: 'The views run where there is no JupyterLab.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(hosts/lab/|index[.]ts$)' },
      to: { path: '(^|/)node_modules/@(jupyterlab|lumino|codemirror)/' }
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true }
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true }
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { pathNot: '[.]test[.]tsx?$|/testing/' },
      to: { path: '[.]test[.]tsx?$|/testing/' }
    }
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true
  }
};
