// The drawing of the head with face, nose and headphones, for all pages.
import { rotation, seen, towards, turned } from './head.js';

/** Size of the head relative to the distance of the loudspeakers. */
export const headSize = 0.2;

/** Draws a head. `context`: drawing context; `place`: converts a point around the head to pixels; `camera` as in
    `cameras`; `colours`: `skin` and `accent`; `outline`: colour of the lines; `ratio`: device pixels per CSS pixel;
    `pose`: yaw, pitch, roll. */
export function drawHead({ context, place, camera, colours, outline, ratio, size = headSize }, pose) {
  const rows = rotation(pose), { skin } = colours;
  const at = point => turned(rows, point.map(each => each * size));
  context.lineWidth = 2 * ratio;
  context.strokeStyle = outline;
  const parts = [];
  // Parts are drawn in the order of their depth, so that the nearer ones cover the others.
  const add = (middle, draw) => parts.push({ depth: seen(camera, at(middle)).depth, draw });
  add([0, 0, 0], () => {
    // The outline of an ellipsoid, as the hull of its rings.
    const points = [];
    for (let ring = -75; ring <= 75; ring += 15)
      for (let angle = 0; angle < 360; angle += 15) {
        const [x, y, z] = towards(angle, ring);
        points.push(place(at([x, y * 0.8, z * 1.15])));
      }
    hull(points, context);
    context.fillStyle = skin;
    context.fill();
    context.stroke();
  });
  add([1.05, 0, 0], () => {
    hull([[0.85, 0.22, -0.15], [0.85, -0.22, -0.15], [1.35, 0, -0.1], [0.92, 0, 0.35]].map(point => place(at(point))), context);
    context.fillStyle = skin;
    context.fill();
    context.stroke();
  });
  for (const side of [1, -1]) add([0, 0.95 * side, 0], () => {
    const points = [];
    for (let angle = 0; angle < 360; angle += 20)
      for (const out of [0.8, 1.08]) points.push(place(at([0.42 * Math.cos(angle * 0.01745), out * side, 0.5 * Math.sin(angle * 0.01745)])));
    hull(points, context);
    context.fillStyle = colours.accent;
    context.fill();
    context.stroke();
  });
  for (const { draw } of parts.sort((a, b) => a.depth - b.depth)) draw();
  // The band over the head.
  const band = [];
  for (let angle = -80; angle <= 80; angle += 8)
    band.push(at([0, 1.02 * Math.sin(angle * 0.01745), 1.3 * Math.cos(angle * 0.01745)]));
  context.beginPath();
  band.forEach((point, index) => {
    const { x, y } = place(point);
    index ? context.lineTo(x, y) : context.moveTo(x, y);
  });
  context.strokeStyle = colours.accent;
  context.lineWidth = 3 * ratio;
  context.stroke();
}

/** Draws the convex hull of points as a path (Andrew's monotone chain). */
function hull(points, context) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (o, a, b) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = all => all.reduce((line, point) => {
    while (line.length > 1 && turn(line.at(-2), line.at(-1), point) <= 0) line.pop();
    line.push(point);
    return line;
  }, []);
  const outline = [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)];
  context.beginPath();
  outline.forEach(({ x, y }, index) => index ? context.lineTo(x, y) : context.moveTo(x, y));
  context.closePath();
}
