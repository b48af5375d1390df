// The sounds of a game, made on the spot: a stone, captured stones, a pass, the last seconds of a period.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/** Where sounds go; null while nothing may be heard: switched off, or nobody has touched the page yet. */
function output() {
  if (!settings.values.sound || typeof AudioContext === "undefined") return null;
  // Browsers let a page be heard only once somebody has done something on it.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

/** A stone is put down. */
export function clack() {
  const audio = output();
  if (audio) stone(audio, 0, 1);
}

/** What was captured goes into the lid. @param {number} captured */
export function gather(captured) {
  const audio = captured > 0 ? output() : null;
  if (!audio) return;
  // Stones that fall into the lid one after the other, each a little different; more than a handful sound alike.
  for (let i = 0; i < Math.min(captured, 5); i += 1)
    stone(audio, 0.12 + i * 0.055 + Math.random() * 0.02, 0.32, 1.35 + Math.random() * 0.3);
}

/** Somebody passes: two soft notes. */
export function hush() {
  const audio = output();
  if (!audio) return;
  note(audio, 0, 392, 0.16, 0.3);
  note(audio, 0.13, 294, 0.14, 0.42);
}

/** A second of byo-yomi: higher for the last three. @param {number} left */
export function tick(left) {
  const audio = output();
  if (audio) note(audio, 0, left <= 3 ? 880 : 659, left <= 3 ? 0.2 : 0.11, 0.12);
}

/**
 * A stone on wood: a short click of slate, and the board that answers.
 * @param {AudioContext} audio
 * @param {number} delay
 * @param {number} loudness
 * @param {number} [pitch]
 */
function stone(audio, delay, loudness, pitch = 1) {
  const at = audio.currentTime + delay;
  const length = 0.05;
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1)
    samples[i] = (Math.random() * 2 - 1) * Math.exp((-14 * i) / samples.length);
  const click = audio.createBufferSource();
  click.buffer = noise;
  const slate = audio.createBiquadFilter();
  slate.type = "bandpass";
  slate.frequency.value = (2300 + Math.random() * 300) * pitch;
  slate.Q.value = 1.6;
  const volume = audio.createGain();
  volume.gain.value = loudness * 0.5;
  click.connect(slate).connect(volume).connect(audio.destination);
  click.start(at);
  // The board: two partials of wood that die away at once.
  note(audio, delay, 410 * pitch, loudness * 0.28, 0.09);
  note(audio, delay, 1040 * pitch, loudness * 0.12, 0.05);
}

/**
 * @param {AudioContext} audio
 * @param {number} delay
 * @param {number} frequency
 * @param {number} loudness
 * @param {number} length
 */
function note(audio, delay, frequency, loudness, length) {
  const at = audio.currentTime + delay;
  const tone = audio.createOscillator();
  tone.frequency.value = frequency;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(loudness, at + 0.004);
  volume.gain.exponentialRampToValueAtTime(0.0005, at + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}
