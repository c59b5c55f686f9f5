import { LabIcon } from '@jupyterlab/ui-components';
import iconSource from '../../../style/icon.svg';
import { IconName, iconMarkup } from '../../views';

export const icon = new LabIcon({
  name: 'jax-trace-viz:icon',
  svgstr: iconSource
});

/** In menus as on the panel's buttons. */
export const backIcon = menuIcon('back');
export const clearIcon = menuIcon('clear');
export const exportIcon = menuIcon('export');
export const forwardIcon = menuIcon('forward');
export const pauseIcon = menuIcon('pause');

function menuIcon(name: IconName): LabIcon {
  return new LabIcon({
    name: `jax-trace-viz:${name}`,
    svgstr: iconMarkup(name, 'jp-icon3')
  });
}
