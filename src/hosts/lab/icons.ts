import { LabIcon } from '@jupyterlab/ui-components';
import iconSource from '../../../style/icon.svg';

export const icon = new LabIcon({
  name: 'jax-trace-viz:icon',
  svgstr: iconSource
});
