// Plays a whole game against `tengen gtp` through @sabaki/gtp, as Sabaki does: it starts the engine, asks who it is
// without waiting, keeps its state in step, analyses and aborts, and lets it play both colours until two passes.
//
//     node run.mjs FOLDER PROGRAM
//
// FOLDER is where `npm install --prefix FOLDER @sabaki/gtp` has put the package, and PROGRAM is the `tengen` command.

import assert from 'node:assert/strict'
import {createRequire} from 'node:module'
import {join, resolve} from 'node:path'

const [folder, program] = process.argv.slice(2)
if (folder == null || program == null) {
  console.error('usage: node run.mjs FOLDER PROGRAM')
  process.exit(2)
}
const load = createRequire(join(resolve(folder), 'index.js'))
const {Controller, ControllerStateTracker} = load('@sabaki/gtp')

const size = 7
const options = ['--visits', '60', '--threads', '1', '--seed', '1', '--resign', 'never']
const controller = new Controller(resolve(program), ['gtp', ...options])
const tracker = new ControllerStateTracker(controller)
const complaints = []
controller.on('stderr', ({content}) => complaints.push(content))

// A library that waits for ever must not make the test wait.
const watchdog = setTimeout(() => {
  console.error('the game does not end')
  controller.process?.kill('SIGKILL')
  process.exit(1)
}, 300_000)

const send = async (name, ...args) => {
  const response = await controller.sendCommand({name, args})
  assert.ok(!response.error, `${name} ${args.join(' ')}: ${response.content}`)
  return response.content
}

controller.start()

// Who are you?
const [name, version, protocol, commands] = await Promise.all([
  send('name'),
  send('version'),
  send('protocol_version'),
  send('list_commands'),
])
assert.equal(name, 'Tengen')
assert.match(version, /^\d+\.\d+/)
assert.equal(protocol, '2')
for (const command of ['analyze', 'genmove_analyze', 'undo', 'set_free_handicap', 'loadsgf']) {
  assert.ok(commands.split('\n').includes(command), command)
}

// A position of Sabaki's, with another size and komi, and back by one move.
const history = ['C3', 'E5', 'C5'].map((vertex, index) => ({
  name: 'play',
  args: [index % 2 === 0 ? 'B' : 'W', vertex],
}))
await tracker.sync({komi: 6.5, boardsize: [size, size], history})
assert.equal(await send('get_komi'), '6.5')
assert.equal(await send('list_stones', 'B'), 'C5 C3')
await tracker.sync({komi: 6.5, boardsize: [size, size], history: history.slice(0, 2)})
assert.equal(await send('list_stones', 'B'), 'C3')
await tracker.sync({komi: 6.5, boardsize: [5, 4], history: []})
assert.equal(await send('query_boardsize'), '5 4')

// An analysis that is aborted as Sabaki aborts it.
await tracker.sync({komi: 6.5, boardsize: [size, size], history: []})
let lines = 0
await new Promise((finish, fail) => {
  let aborted = false
  const analysis = controller.sendCommand({name: 'analyze', args: ['B', '5']}, ({line}) => {
    if (!line.startsWith('info ')) return
    lines += 1
    for (const variation of line.split(/\s*info\s+/).slice(1)) {
      // Sabaki wants the variation at the end, and tells shares by their point.
      assert.match(variation.trim(), /(pass|[A-Za-z]\d+)(\s+(pass|[A-Za-z]\d+))*$/)
      assert.match(variation, /winrate \d\.\d+ /)
    }
    if (lines >= 3 && !aborted) {
      aborted = true
      controller.sendCommand({name: 'protocol_version'}).then(({content}) => {
        assert.equal(content, '2')
        finish()
      }, fail)
    }
  })
  analysis.catch(fail)
})
assert.ok(lines >= 3)

// The game, half of it with reports.
let passes = 0
let moves = 0
for (; passes < 2; moves += 1) {
  assert.ok(moves < 6 * size * size, 'the game does not end')
  const color = moves % 2 === 0 ? 'B' : 'W'
  let vertex
  if (moves % 4 < 2) {
    vertex = await send('genmove', color)
  } else {
    const content = await send('genmove_analyze', color, '20')
    vertex = content.trim().split('\n').at(-1).replace(/^play /, '')
  }
  assert.match(vertex, /^(pass|[A-HJ-Z]\d+)$/)
  passes = vertex === 'pass' ? passes + 1 : 0
}
assert.equal(tracker.state.history.length, moves)
const score = await send('final_score')
assert.match(score, /^([BW]\+\d+(\.5)?|0)$/)

await controller.stop(60_000)
clearTimeout(watchdog)
assert.deepEqual(complaints, [])
console.log(`${moves} moves, ${score}, ${lines} reports`)
