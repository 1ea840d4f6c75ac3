// Package scene is one function under observation, with the package around it: what was
// found of its objects so far, and how the source names them. Packages below observe ask
// one question each of a scene and add what they find as histories.
package scene
