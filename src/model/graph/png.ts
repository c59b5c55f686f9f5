import { trans } from '../words/language';

/** Pixels for each CSS pixel: sharp on paper and on dense screens. */
const SCALE = 2;
/** Browsers draw no larger canvas. */
const LARGEST = 16_000;

/**
 * An SVG file as a PNG image.
 *
 * @throws Error with words for the user where the browser cannot draw it.
 */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  // eslint-disable-next-line no-restricted-syntax -- a picture of ours, in which nothing runs
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode().catch(() => {
    throw impossible();
  });
  const longest = Math.max(image.width, image.height, 1);
  const scale = Math.min(SCALE, LARGEST / longest);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  const context = canvas.getContext('2d');
  context?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>(resolve =>
    canvas.toBlob(resolve, 'image/png')
  );
  if (!context || !blob) {
    throw impossible();
  }
  return blob;
}

function impossible(): Error {
  return new Error(trans.__('This browser cannot make a PNG of the graph.'));
}
