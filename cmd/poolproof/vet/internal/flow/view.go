package flow

// Viewed is the Field of memory that a method of an owner has handed out: it is
// reached through none of the object's fields that a caller could see.
const Viewed = 1 << 15
