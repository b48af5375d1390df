// The sound of a stone, made on the spot.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** @param {number} captured */
export function clack(captured) {
  if (!settings.values.sound) return;
  context ??= new AudioContext();
  knock(context, 0, 1);
  if (captured > 0) knock(context, 0.09, 0.5);
}

/** @param {AudioContext} audio @param {number} delay @param {number} loudness */
function knock(audio, delay, loudness) {
  const length = 0.06;
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1)
    samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / samples.length);
  const source = audio.createBufferSource();
  source.buffer = noise;
  const wood = audio.createBiquadFilter();
  wood.type = "bandpass";
  wood.frequency.value = 1900;
  wood.Q.value = 3;
  const volume = audio.createGain();
  volume.gain.value = loudness * 0.8;
  source.connect(wood).connect(volume).connect(audio.destination);
  source.start(audio.currentTime + delay);
}
