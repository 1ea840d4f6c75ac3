// Package scene is one function under observation, with the package around it: what was
// found of its objects so far, and how the source names them. Packages below observe ask
// questions of a scene, and return what they find as histories of its objects.
package scene
