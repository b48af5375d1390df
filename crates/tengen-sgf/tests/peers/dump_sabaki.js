// Prints what @sabaki/sgf reads in the files whose paths stand on the lines of the standard input, as JSON lines.

const fs = require('fs')
const sgf = require('@sabaki/sgf')

function game(root) {
  let nodes = []
  let stack = [[root, null]]
  while (stack.length > 0) {
    let [node, parent] = stack.pop()
    let number = nodes.length
    nodes.push([parent, Object.entries(node.data)])
    for (let child of node.children.slice().reverse()) stack.push([child, number])
  }

  let isSmall = root.data.SZ == null || +root.data.SZ[0] <= 19
  let moves = []
  for (let node = root; node != null; node = node.children[0]) {
    for (let color of ['B', 'W']) {
      if (node.data[color] == null) continue
      let [x, y] = sgf.parseVertex(node.data[color][0])
      let isPass = x < 0 || (isSmall && x === 19 && y === 19)
      moves.push([color, isPass ? null : sgf.stringifyVertex([x, y])])
    }
  }
  return {nodes, moves}
}

for (let file of fs.readFileSync(0, 'utf8').split('\n').filter(line => line !== '')) {
  try {
    console.log(JSON.stringify({file, games: sgf.parseFile(file).map(game)}))
  } catch (error) {
    console.log(JSON.stringify({file, error: error.message}))
  }
}
